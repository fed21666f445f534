#include "shard/check_redistribution.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace pipescope::shard {

namespace {

Error unsupported(std::string message, std::size_t meshDim)
{
    return {ErrorCode::Unsupported, std::move(message), fmt::format("mesh dimension {}", meshDim), {}};
}

// Upstream divides by the number of ranks, or copies; neither makes shares of a product.
Status checkShare(const Placement &partial, std::size_t meshDim)
{
    const auto *known = std::get_if<Partial>(&partial);
    if (known && known->op == ReduceOp::Product)
        return unsupported("Replicate to Partial(product) conversion is not supported.", meshDim);
    return Success{};
}

// After: the target is a Partial and the source another placement.
Status checkPartial(const Placement &source, const Placement &target, std::size_t meshDim, AskedBy askedBy)
{
    const bool sums = target == Placement(Partial{ReduceOp::Sum});
    if (sums && std::holds_alternative<Shard>(source))
        return Success{};
    if (askedBy == AskedBy::User)
        return unsupported(
            fmt::format("Can not redistribute from {} to {}, only Shard to Partial(sum) redistribution is "
                        "supported!",
                        shortText(source), shortText(target)),
            meshDim);
    if (std::holds_alternative<Replicate>(source))
        return checkShare(target, meshDim);
    if (isPartial(source))
        return unsupported(fmt::format("Redistribution from one partial type ({}) to another ({}) is unsupported.",
                                       shortText(source), shortText(target)),
                           meshDim);
    return unsupported(
        fmt::format("redistribute from {} to {} not supported yet", shortText(source), shortText(target)), meshDim);
}

} // namespace

Status checkRedistribution(const Layout &from, const Layout &to, AskedBy askedBy)
{
    if (!(from.mesh() == to.mesh()))
        return Error{ErrorCode::Unsupported,
                     "Cross device mesh comm not supported yet!",
                     fmt::format("{} and {}", from.mesh().text(), to.mesh().text()),
                     {}};
    if (from.shape() != to.shape())
        return Error{ErrorCode::InvalidArgument,
                     fmt::format("a redistribution keeps the tensor's shape, but the layouts have [{}] and [{}]; give "
                                 "both the same shape",
                                 fmt::join(from.shape(), ", "), fmt::join(to.shape(), ", ")),
                     {},
                     {}};
    if (from.dtype() != to.dtype())
        return Error{ErrorCode::InvalidArgument,
                     fmt::format("a redistribution keeps the dtype, but the layouts have {} and {}; cast before or "
                                 "after it",
                                 from.dtype(), to.dtype()),
                     {},
                     {}};
    for (std::size_t dim = 0; dim < to.placements().size(); ++dim) {
        const Placement &source = from.placements()[dim];
        const Placement &target = to.placements()[dim];
        if (isPartial(target) && !(source == target))
            if (Status ok = checkPartial(source, target, dim, askedBy); !ok)
                return ok;
    }
    return Success{};
}

} // namespace pipescope::shard

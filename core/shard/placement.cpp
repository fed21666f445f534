#include "shard/placement.h"

#include "base/error.h"

#include <array>
#include <fmt/format.h>
#include <utility>

namespace pipescope::shard {

namespace {

constexpr std::array ReduceOpNames{
    std::pair{ReduceOp::Sum, std::string_view("sum")},         std::pair{ReduceOp::Avg, std::string_view("avg")},
    std::pair{ReduceOp::Max, std::string_view("max")},         std::pair{ReduceOp::Min, std::string_view("min")},
    std::pair{ReduceOp::Product, std::string_view("product")},
};

struct ShortText
{
    std::string operator()(Replicate) const { return "R"; }
    std::string operator()(Shard shard) const { return fmt::format("S({})", shard.dim); }
    std::string operator()(StridedShard shard) const { return fmt::format("_S({}, {})", shard.dim, shard.splitFactor); }
    std::string operator()(Partial partial) const { return fmt::format("P({})", reduceOpName(partial.op)); }
    std::string operator()(NormPartial partial) const { return fmt::format("_NormP({})", partial.p); }
};

struct LongText
{
    std::string operator()(Replicate) const { return "Replicate()"; }
    std::string operator()(Shard shard) const { return fmt::format("Shard(dim={})", shard.dim); }
    std::string operator()(StridedShard shard) const
    {
        return fmt::format("_StridedShard(dim={}, sf={})", shard.dim, shard.splitFactor);
    }
    std::string operator()(Partial partial) const { return fmt::format("Partial({})", reduceOpName(partial.op)); }
    std::string operator()(NormPartial partial) const { return fmt::format("_NormPartial({})", partial.p); }
};

} // namespace

std::string_view reduceOpName(ReduceOp op)
{
    for (const auto &[known, name] : ReduceOpNames) {
        if (known == op)
            return name;
    }
    PIPESCOPE_ASSERT(false);
}

std::optional<ReduceOp> reduceOpOf(std::string_view name)
{
    for (const auto &[op, known] : ReduceOpNames) {
        if (known == name)
            return op;
    }
    return std::nullopt;
}

bool isSharded(const Placement &placement)
{
    return shardDim(placement) != nullptr;
}

const int *shardDim(const Placement &placement)
{
    if (const auto *shard = std::get_if<Shard>(&placement))
        return &shard->dim;
    const auto *strided = std::get_if<StridedShard>(&placement);
    return strided != nullptr ? &strided->dim : nullptr;
}

bool isPartial(const Placement &placement)
{
    return std::holds_alternative<Partial>(placement) || std::holds_alternative<NormPartial>(placement);
}

std::string shortText(const Placement &placement)
{
    return std::visit(ShortText{}, placement);
}

std::string text(const Placement &placement)
{
    return std::visit(LongText{}, placement);
}

std::string shortText(std::span<const Placement> placements)
{
    std::string all;
    for (const Placement &placement : placements)
        all += shortText(placement);
    return all;
}

} // namespace pipescope::shard

#include "dtensor/step.h"

#include "dtensor/route.h"
#include "shard/geometry.h"
#include "tensor/ivalue_tree.h"
#include "tensor/torch_guard.h"

#include <ATen/Functions.h>
#include <ATen/core/grad_mode.h>
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace pipescope::dtensor {

namespace {

using shard::Collective;
using shard::ReduceOp;
using shard::Step;

// How the ranks' values of the step's Partial dimensions become one.
struct Reduction
{
    ReduceOp op = ReduceOp::Sum;
    std::int64_t divisor = 1; // of the sum, where only some of the dimensions average
    double norm = 0;          // p of a p-norm, 0 for none
};

Reduction reductionOf(const Step &step)
{
    Reduction reduction;
    bool first = true;
    bool mixed = false;
    std::int64_t averaged = 1;
    for (const int meshDim : step.meshDims) {
        const shard::Placement &placement = step.before.placements()[static_cast<std::size_t>(meshDim)];
        if (const auto *norm = std::get_if<shard::NormPartial>(&placement)) {
            reduction.norm = norm->p;
        } else if (const auto *partial = std::get_if<shard::Partial>(&placement)) {
            mixed = mixed || (!first && partial->op != reduction.op);
            reduction.op = partial->op;
            first = false;
            if (partial->op == ReduceOp::Avg)
                averaged *= step.before.mesh().size(meshDim);
        }
    }
    if (mixed) { // of sums and averages, the only ones that may stand together
        reduction.op = ReduceOp::Sum;
        reduction.divisor = averaged;
    }
    return reduction;
}

comm::Line lineOf(const Step &step, RankId self)
{
    return step.before.mesh().line(*step.before.mesh().coordinate(self), step.meshDims);
}

std::string dimsText(const Step &step)
{
    const std::vector<std::string> &names = step.before.mesh().names();
    std::vector<std::string> texts;
    for (const int dim : step.meshDims)
        texts.push_back(names.empty() ? fmt::format("{}", dim) : names[static_cast<std::size_t>(dim)]);
    return fmt::format("{}", fmt::join(texts, ", "));
}

CollectiveKind kindOf(Collective collective)
{
    switch (collective) {
    case Collective::AllReduce:
        return CollectiveKind::AllReduce;
    case Collective::ReduceScatter:
        return CollectiveKind::ReduceScatter;
    case Collective::AllToAll:
        return CollectiveKind::AllToAll;
    case Collective::Broadcast:
        return CollectiveKind::Broadcast;
    case Collective::Scatter:
        return CollectiveKind::Scatter;
    default:
        return CollectiveKind::AllGather;
    }
}

Result<at::Tensor> exchange(const RankContext &self, const Step &step, const at::Tensor &local)
{
    const comm::Line line = lineOf(step, self.rank);
    CollectiveRequest request;
    request.kind = kindOf(step.collective);
    request.tensor = local;
    request.meshDims = dimsText(step);
    if (step.collective != Collective::AllReduce)
        request.route = routeOf(step.before, step.after, line, self.rank);
    return self.run(line, request);
}

Result<at::Tensor> reduce(const RankContext &self, const Step &step, const at::Tensor &local)
{
    const Reduction reduction = reductionOf(step);
    // Divided or raised to a power, they would not be of the layout's dtype any more.
    const bool isInexact = at::isFloatingType(local.scalar_type()) || at::isComplexType(local.scalar_type());
    if (!isInexact && (reduction.divisor != 1 || reduction.norm != 0))
        return Error{ErrorCode::Unsupported,
                     fmt::format("an average or a norm of {} tensors need not be of that type; convert the tensor to a "
                                 "floating type before",
                                 tensor::dtypeName(local.scalar_type())),
                     {},
                     {}};
    const comm::Line line = lineOf(step, self.rank);
    CollectiveRequest request;
    request.kind = kindOf(step.collective);
    request.op = reduction.op;
    request.tensor = reduction.norm == 0 ? local : local.pow(reduction.norm);
    request.meshDims = dimsText(step);
    if (step.collective == Collective::ReduceScatter)
        request.route = routeOf(step.before, step.after, line, self.rank);
    auto result = self.run(line, request);
    if (!result)
        return result.error();
    if (reduction.divisor != 1)
        return result->div(reduction.divisor);
    return reduction.norm == 0 ? *std::move(result) : result->pow(1 / reduction.norm);
}

// What this rank keeps of its own, in memory of its own.
at::Tensor keep(const Step &step, const shard::Coordinate &here, const at::Tensor &local, at::Tensor to)
{
    copyBlock(to, local, blockBetween(step.before, here, step.after, here));
    return to;
}

at::Tensor makePartial(const Step &step, const shard::Coordinate &here, at::Tensor local)
{
    const shard::Sizes sizes = shard::localShard(step.after, here).sizes;
    if (local.sizes() != at::IntArrayRef(sizes))
        return keep(step, here, local, at::zeros(sizes, local.options()));
    for (const int meshDim : step.meshDims) {
        const auto index = static_cast<std::size_t>(meshDim);
        if (std::holds_alternative<shard::Replicate>(step.before.placements()[index]))
            local = shareOf(local, step.after.placements()[index], here[index], step.after.mesh().size(meshDim));
    }
    return local;
}

} // namespace

at::Tensor shareOf(const at::Tensor &value, const shard::Placement &partial, int coordinate, int ranks)
{
    if (const auto *norm = std::get_if<shard::NormPartial>(&partial))
        return value.div(std::pow(static_cast<double>(ranks), 1 / norm->p));
    const auto *sum = std::get_if<shard::Partial>(&partial);
    if (sum == nullptr || sum->op != ReduceOp::Sum)
        return value;
    if (!at::isIntegralType(value.scalar_type(), true))
        return value.div(static_cast<std::int64_t>(ranks));
    return coordinate == 0 ? value : at::zeros_like(value);
}

Result<at::Tensor> doStep(const RankContext &self, const Step &step, const at::Tensor &local)
{
    const shard::Coordinate here = *step.before.mesh().coordinate(self.rank);
    return tensor::guardTorch(ErrorCode::ModelFailed, {}, [&]() -> Result<at::Tensor> {
        const at::NoGradGuard noGrad;
        switch (step.collective) {
        case Collective::None:
            return local;
        case Collective::LocalChunk:
            return keep(step, here, local, at::empty(shard::localShard(step.after, here).sizes, local.options()));
        case Collective::LocalPartial:
            return makePartial(step, here, local);
        case Collective::AllReduce:
        case Collective::ReduceScatter:
            return reduce(self, step, local);
        default:
            return exchange(self, step, local);
        }
    });
}

} // namespace pipescope::dtensor

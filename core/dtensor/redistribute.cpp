#include "dtensor/dtensor.h"

#include "dtensor/step.h"

#include <ATen/Functions.h>

namespace pipescope::dtensor {

Result<DTensor> redistribute(const RankContext &self, const DTensor &tensor, const shard::Layout &to,
                             const RedistributeOptions &options)
{
    const auto plan = shard::planRedistribution(tensor.layout, to, options.planner, options.costs, options.askedBy);
    if (!plan)
        return plan.error();
    DTensor result{to, tensor.local};
    if (!to.mesh().coordinate(self.rank))
        return result;
    for (const shard::Step &step : plan->steps) {
        auto local = doStep(self, step, result.local);
        if (!local)
            return local.error();
        result.local = *std::move(local);
    }
    return result;
}

Result<DTensor> redistribute(const RankContext &self, const DTensor &tensor, shard::Placements placements,
                             const RedistributeOptions &options)
{
    if (placements.empty())
        return Error{ErrorCode::InvalidArgument, "placements is needed for redistribute!", {}, {}};
    const shard::Layout &from = tensor.layout;
    const auto to =
        shard::Layout::make({from.mesh(), std::move(placements), from.shape(), {}, from.stride(), from.dtype()});
    if (!to)
        return to.error();
    return redistribute(self, tensor, *to, options);
}

Result<at::Tensor> fullTensor(const RankContext &self, const DTensor &tensor, const RedistributeOptions &options)
{
    const shard::Placements whole(tensor.layout.placements().size(), shard::Replicate{});
    auto result = redistribute(self, tensor, whole, options);
    if (!result)
        return result.error();
    return std::move(result->local);
}

} // namespace pipescope::dtensor

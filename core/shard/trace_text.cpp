#include "shard/equal_forms.h"
#include "shard/geometry.h"
#include "shard/redistribution.h"

#include <algorithm>
#include <fmt/format.h>

namespace pipescope::shard {

namespace {

bool isStrided(const Placement &placement)
{
    return std::holds_alternative<StridedShard>(placement);
}

// Upstream's format_shard_order_str: the place of each cut wherever a tensor dimension has several.
std::string stateText(const Layout &layout)
{
    std::string all;
    for (int meshDim = 0; meshDim < layout.mesh().ndim(); ++meshDim) {
        const Placement &placement = layout.placements()[static_cast<std::size_t>(meshDim)];
        all += shortText(placement);
        const int *dim = shardDim(placement);
        if (dim == nullptr || layout.cuts(*dim).size() < 2)
            continue;
        const std::vector<Cut> &cuts = layout.cuts(*dim);
        all += fmt::format("[{}]", std::find_if(cuts.begin(), cuts.end(), [&](const Cut &cut) {
                                       return cut.meshDim == meshDim;
                                   }) - cuts.begin());
    }
    return all;
}

// Strided shards that stand for an order are that order.
Layout inOrder(const Layout &layout)
{
    if (std::any_of(layout.placements().begin(), layout.placements().end(), isStrided))
        if (const std::optional<Layout> order = asOrder(layout); order && holdTheSame(layout, *order))
            return *order;
    return layout;
}

// Upstream goes to strided shards and away from them in one step, by way of the whole.
bool isHalfOfStep(const Step &step, const Step &next)
{
    const auto dim = static_cast<std::size_t>(step.meshDims.front());
    if (step.meshDims != next.meshDims || moves(next.collective) ||
        !std::holds_alternative<Replicate>(step.after.placements()[dim]))
        return false;
    return isStrided(inOrder(step.before).placements()[dim]) || isStrided(inOrder(next.after).placements()[dim]);
}

} // namespace

std::string traceText(const Layout &from, const Redistribution &plan)
{
    std::string text = stateText(inOrder(from));
    for (std::size_t i = 0; i < plan.steps.size(); ++i)
        if (const Step &step = plan.steps[i]; i + 1 == plan.steps.size() || !isHalfOfStep(step, plan.steps[i + 1]))
            text += (step.meshDims.size() > 1 ? "-->" : "->") + stateText(inOrder(step.after));
    return text;
}

} // namespace pipescope::shard

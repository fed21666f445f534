// Redistributions for tests: planned from texts, and written as texts.
#pragma once

#include "shard/redistribution.h"
#include "support/layouts.h"

#include <algorithm>
#include <string>
#include <string_view>

namespace pipescope::tests {

/// As layoutOf(), on a mesh that is there already.
inline shard::Layout layoutOn(const shard::DeviceMesh &mesh, std::string_view placements, shard::Sizes shape,
                              std::string_view order = {})
{
    shard::LayoutRequest request{mesh, *shard::parsePlacements(placements), std::move(shape), {}, {}, "float32"};
    if (!order.empty())
        request.order = *shard::parseShardOrder(order, mesh);
    return *shard::Layout::make(std::move(request));
}

/// The mesh with the named dimensions flattened.
inline shard::DeviceMesh flattened(shard::DeviceMesh mesh, const std::vector<std::string> &names)
{
    const Status done = mesh.flatten(names);
    return done ? mesh : meshOf("1");
}

/// The plan that PyTorch makes.
inline shard::Redistribution upstreamPlan(const shard::Layout &from, const shard::Layout &to)
{
    return *shard::planRedistribution(from, to, shard::Planner::Upstream);
}

inline shard::Redistribution cheapestPlan(const shard::Layout &from, const shard::Layout &to,
                                          const shard::CostModel &costs = {})
{
    return *shard::planRedistribution(from, to, shard::Planner::Cheapest, costs);
}

/// "all_gather@1 64>128, local_chunk@0": the collectives, their mesh dimensions, and the padded bytes of those that
/// move some.
inline std::string stepsText(const shard::Redistribution &plan)
{
    std::string text;
    for (const shard::Step &step : plan.steps) {
        text += (text.empty() ? "" : ", ") + std::string(shard::collectiveName(step.collective)) + "@";
        for (const int dim : step.meshDims)
            text += std::to_string(dim);
        if (shard::moves(step.collective))
            text += " " + std::to_string(step.bytes.paddedIn) + ">" + std::to_string(step.bytes.paddedOut);
    }
    return text;
}

/// How many steps move data.
inline int collectivesOf(const shard::Redistribution &plan)
{
    return static_cast<int>(std::count_if(plan.steps.begin(), plan.steps.end(),
                                          [](const shard::Step &step) { return shard::moves(step.collective); }));
}

} // namespace pipescope::tests

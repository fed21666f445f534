#include "runtime/stage_route.h"

#include <algorithm>
#include <fmt/format.h>
#include <unordered_map>

namespace pipescope::runtime {

namespace {

int argumentPosition(const graph::ModelGraph &graph, ValueId value)
{
    const auto found = std::find_if(graph.arguments.begin(), graph.arguments.end(),
                                    [value](const graph::Argument &argument) { return argument.value == value; });
    return found == graph.arguments.end() ? -1 : static_cast<int>(found - graph.arguments.begin());
}

std::vector<int> returnedPositions(const graph::ModelGraph &graph, ValueId value)
{
    std::vector<int> positions;
    for (std::size_t i = 0; i < graph.outputs.size(); ++i) {
        if (graph.outputs[i] == value)
            positions.push_back(static_cast<int>(i));
    }
    return positions;
}

} // namespace

Result<std::vector<StageRoute>> makeStageRoutes(const graph::ModelGraph &graph, const std::vector<StageEnds> &stages)
{
    struct Maker
    {
        std::size_t stage;
        std::size_t outlet;
    };
    std::unordered_map<ValueId, Maker> makers;
    std::vector<StageRoute> routes(stages.size());
    for (std::size_t stage = 0; stage < stages.size(); ++stage) {
        const StageId id{static_cast<int>(stage)};
        for (const ValueId value : stages[stage].inputs) {
            Inlet inlet{value, graph.value(value).name, argumentPosition(graph, value), {}};
            if (inlet.argument < 0) {
                const auto maker = makers.find(value);
                if (maker == makers.end())
                    return Error{ErrorCode::InvalidArgument,
                                 fmt::format("stage {} takes {}, which no earlier stage gives", stage, inlet.name),
                                 fmt::format("stage {}", stage),
                                 {}};
                inlet.from = StageId{static_cast<int>(maker->second.stage)};
                routes[maker->second.stage].outlets[maker->second.outlet].consumers.push_back(id);
            }
            routes[stage].inlets.push_back(std::move(inlet));
        }
        for (const ValueId value : stages[stage].outputs) {
            makers.try_emplace(value, Maker{stage, routes[stage].outlets.size()});
            routes[stage].outlets.push_back({value, graph.value(value).name, {}, returnedPositions(graph, value)});
        }
    }
    return routes;
}

} // namespace pipescope::runtime

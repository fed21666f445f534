#include "partition/stage_copies.h"

#include "partition/shared_memory.h"

#include <algorithm>
#include <iterator>

namespace pipescope::partition {

namespace {

using graph::ModelGraph;

bool isIn(const Stage &stage, int position)
{
    return position >= stage.begin && position < stage.end;
}

// Whether nodes outside the stage use or make the list or dict.
bool isElsewhere(const ModelGraph &graph, const CallContainer &container, const Stage &stage)
{
    const auto isOne = [&](ValueId value) {
        return std::binary_search(container.values.begin(), container.values.end(), value);
    };
    for (int position = 0; position < graph.size(); ++position) {
        const graph::Node &node = graph.at(position);
        if (!isIn(stage, position) && (std::any_of(node.uses.begin(), node.uses.end(), isOne) ||
                                       std::any_of(node.outputs.begin(), node.outputs.end(), isOne)))
            return true;
    }
    return false;
}

bool changesContainers(const ModelGraph &graph, const Stage &stage)
{
    for (int position = stage.begin; position < stage.end; ++position)
        if (!graph.at(position).containerWrites.empty())
            return true;
    return false;
}

} // namespace

std::vector<ValueId> inputsToCopy(const ModelGraph &graph, const Stage &stage)
{
    std::vector<ValueId> copied;
    if (stage.inputs.empty() || !changesContainers(graph, stage))
        return copied;
    for (const CallContainer &container : memoryBans(graph).callContainers) {
        const auto &writes = container.writes;
        const bool isChanged =
            std::any_of(writes.begin(), writes.end(), [&](int position) { return isIn(stage, position); });
        if (isChanged && isElsewhere(graph, container, stage))
            std::set_intersection(stage.inputs.begin(), stage.inputs.end(), container.values.begin(),
                                  container.values.end(), std::back_inserter(copied));
    }
    std::erase_if(copied, [&](ValueId value) { return !isFlatContainer(graph.value(value).type); });
    std::sort(copied.begin(), copied.end());
    return copied;
}

} // namespace pipescope::partition

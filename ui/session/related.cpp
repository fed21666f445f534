#include "session/related.h"

#include <algorithm>

namespace pipescope::session {

namespace {

OrderRange placeOf(const graph::ModelGraph &graph, NodeId node)
{
    const bool isThere = node.valid() && node.index() < graph.nodes.size();
    const int position = isThere ? graph::positionOf(graph, node) : -1;
    return position < 0 ? OrderRange{} : OrderRange{position, position + 1};
}

std::vector<StageId> holdersOf(const std::string &fqn, const partition::Partition &partition)
{
    std::vector<StageId> stages;
    for (const partition::Stage &stage : partition.stages)
        if (std::binary_search(stage.parameters.begin(), stage.parameters.end(), fqn))
            stages.push_back(stage.id);
    return stages;
}

/// Names, ascending and each once.
void addValue(const graph::ModelGraph &graph, ValueId value, std::vector<std::string> &names)
{
    const std::string &name = graph.value(value).name;
    const auto at = std::lower_bound(names.begin(), names.end(), name);
    if (at == names.end() || *at != name)
        names.insert(at, name);
}

Related crossing(int position, const graph::ModelGraph &graph, const partition::Partition &partition)
{
    if (!std::binary_search(partition.cuts.begin(), partition.cuts.end(), position))
        return {};
    Related related;
    related.behind = partition.stageOf[static_cast<std::size_t>(position)];
    for (const partition::Transfer &transfer : partition.transfers)
        if (transfer.from.valid() && transfer.from < related.behind && transfer.to >= related.behind)
            addValue(graph, transfer.value, related.values);
    return related;
}

} // namespace

const graph::ModuleCall *callOf(const graph::ModelGraph &graph, const SelectedModule &module)
{
    const graph::ModuleCall *first = nullptr;
    for (const graph::ModuleCall &call : graph.calls) {
        if (call.fqn != module.fqn)
            continue;
        if (call.call == module.call)
            return &call;
        first = first == nullptr ? &call : first;
    }
    return first;
}

OrderRange orderOf(const graph::ModelGraph &graph, const graph::ModuleCall &call)
{
    return call.inside.valid() ? placeOf(graph, call.inside) : OrderRange{call.begin, call.end};
}

OrderRange orderOf(const Selected &selected, const graph::ModelGraph &graph, const std::vector<StageId> &stageOf)
{
    if (selected.node.valid())
        return placeOf(graph, selected.node);
    if (selected.module) {
        const graph::ModuleCall *call = callOf(graph, *selected.module);
        return call == nullptr ? OrderRange{} : orderOf(graph, *call);
    }
    if (selected.value.valid() && selected.value.index() < graph.values.size())
        return placeOf(graph, graph.value(selected.value).producer);
    if (!selected.stage.valid())
        return {};
    const auto [begin, end] = std::equal_range(stageOf.begin(), stageOf.end(), selected.stage);
    return begin == end
               ? OrderRange{}
               : OrderRange{static_cast<int>(begin - stageOf.begin()), static_cast<int>(end - stageOf.begin())};
}

Related relatedTo(const Selected &selected, const graph::ModelGraph &graph, const partition::Partition &partition)
{
    Related related;
    if (selected.action || selected.span)
        return related;
    if (selected.cut)
        return crossing(*selected.cut, graph, partition);
    if (!selected.parameter.empty()) {
        related.stages = holdersOf(selected.parameter, partition);
    } else if (selected.value.valid()) {
        if (selected.value.index() < graph.values.size())
            addValue(graph, selected.value, related.values);
    } else if (selected.stage.valid()) {
        return relatedTo(selected);
    } else {
        const OrderRange range = orderOf(selected, graph, partition.stageOf);
        const int end = std::min(range.end, static_cast<int>(partition.stageOf.size())); // none of a model only read
        for (int position = range.begin; position < end; ++position)
            if (const StageId stage = partition.stageOf[static_cast<std::size_t>(position)];
                related.stages.empty() || related.stages.back() != stage)
                related.stages.push_back(stage);
    }
    return related;
}

Related relatedTo(const Selected &selected)
{
    Related related;
    if (selected.stage.valid() && !selected.action)
        related.stages = {selected.stage};
    return related;
}

} // namespace pipescope::session

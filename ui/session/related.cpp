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

/// The stages that run a part of the order.
Related running(OrderRange range, const partition::Partition &partition)
{
    Related related;
    const int end = std::min(range.end, static_cast<int>(partition.stageOf.size())); // none of a model only read
    for (int position = range.begin; position < end; ++position)
        if (const StageId stage = partition.stageOf[static_cast<std::size_t>(position)];
            related.stages.empty() || related.stages.back() != stage)
            related.stages.push_back(stage);
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
    if (const NodeId *node = std::get_if<NodeId>(&selected))
        return placeOf(graph, *node);
    if (const auto *module = std::get_if<SelectedModule>(&selected)) {
        const graph::ModuleCall *call = callOf(graph, *module);
        return call == nullptr ? OrderRange{} : orderOf(graph, *call);
    }
    if (const ValueId value = idIn<ValueId>(selected); value.valid() && value.index() < graph.values.size())
        return placeOf(graph, graph.value(value).producer);
    const StageId stage = stageIn(selected);
    if (!stage.valid())
        return {};
    const auto [begin, end] = std::equal_range(stageOf.begin(), stageOf.end(), stage);
    return begin == end
               ? OrderRange{}
               : OrderRange{static_cast<int>(begin - stageOf.begin()), static_cast<int>(end - stageOf.begin())};
}

Related relatedTo(const Selected &selected, const graph::ModelGraph &graph, const partition::Partition &partition)
{
    const auto ofPart = [&](const auto &) { return running(orderOf(selected, graph, partition.stageOf), partition); };
    const auto ofRun = [&](const auto &) { return relatedTo(selected); };
    return std::visit(Overloaded{[](std::monostate) { return Related(); }, [&](NodeId node) { return ofPart(node); },
                                 [&](const SelectedModule &module) { return ofPart(module); },
                                 [&](ValueId value) {
                                     Related related;
                                     if (value.valid() && value.index() < graph.values.size())
                                         addValue(graph, value, related.values);
                                     return related;
                                 },
                                 [&](const SelectedParameter &held) {
                                     return Related{holdersOf(held.fqn, partition), {}, {}};
                                 },
                                 [&](const SelectedCut &cut) { return crossing(cut.position, graph, partition); },
                                 [&](StageId stage) { return ofRun(stage); }, [&](RankId rank) { return ofRun(rank); },
                                 [&](const SelectedAction &action) { return ofRun(action); },
                                 [&](const SelectedSpan &span) { return ofRun(span); }},
                      selected);
}

Related relatedTo(const Selected &selected)
{
    const StageId stage = idIn<StageId>(selected);
    return stage.valid() ? Related{{stage}, {}, {}} : Related();
}

} // namespace pipescope::session

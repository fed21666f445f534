#include "engine/module_costs.h"

#include "graph/module_names.h"

#include <algorithm>
#include <functional>
#include <map>
#include <string_view>
#include <unordered_map>

namespace pipescope::engine {

namespace {

/// Seconds of a node without the nodes inside it, which are counted for the modules they belong to.
double ownSeconds(const graph::ModelGraph &graph, const graph::Node &node)
{
    double seconds = node.seconds.value_or(0);
    for (const NodeId child : node.children)
        seconds -= graph.node(child).seconds.value_or(0);
    return std::max(seconds, 0.0);
}

/// By value: the last position that uses it; one past the end where the method returns it, -1 where nothing uses it.
std::vector<int> lastUses(const graph::ModelGraph &graph)
{
    std::vector<int> last(graph.values.size(), -1);
    for (int position = 0; position < graph.size(); ++position) {
        for (const ValueId used : graph.at(position).uses)
            last[used.index()] = position;
    }
    for (const ValueId returned : graph.outputs)
        last[returned.index()] = graph.size();
    return last;
}

std::vector<ValueId> outputsOf(const graph::ModelGraph &graph, const graph::ModuleCall &call,
                               const std::vector<int> &lastUses)
{
    std::vector<ValueId> outputs;
    for (int position = call.begin; position < call.end; ++position) {
        for (const ValueId made : graph.at(position).outputs) {
            if (lastUses[made.index()] >= call.end)
                outputs.push_back(made);
        }
    }
    return outputs;
}

using ModuleIndex = std::unordered_map<std::string_view, std::size_t>;

void countCalls(const graph::ModelGraph &graph, const ModuleIndex &index, std::vector<report::ModuleCost> &costs)
{
    const std::vector<int> last = lastUses(graph);
    for (const graph::ModuleCall &call : graph.calls) {
        const auto found = index.find(call.fqn);
        if (found == index.end())
            continue;
        report::ModuleCost &cost = costs[found->second];
        if (call.inside.valid() && cost.seconds <= 0)
            continue; // in a branch that was not taken
        if (cost.calls++ == 0 && !call.inside.valid())
            cost.outputs = outputsOf(graph, call, last);
    }
    if (!costs.empty()) {
        costs.front().calls = 1;
        costs.front().outputs = graph.outputs;
    }
}

} // namespace

std::vector<report::ModuleCost> moduleCosts(const graph::ModelGraph &graph)
{
    std::vector<report::ModuleCost> costs(graph.modules.size());
    std::vector<bool> unknown(graph.modules.size()); // whether something without a rule is in it
    ModuleIndex index;
    for (std::size_t i = 0; i < graph.modules.size(); ++i)
        index.emplace(graph.modules[i].fqn, i);
    const graph::ModuleNames names(graph);
    const auto eachAround = [&](std::string_view fqn, const std::function<void(std::size_t)> &change) {
        while (true) {
            if (const auto found = index.find(fqn); found != index.end())
                change(found->second);
            if (fqn.empty())
                return;
            fqn = names.around(fqn);
        }
    };
    for (const graph::Node &node : graph.nodes) {
        const double seconds = ownSeconds(graph, node);
        eachAround(node.fqn, [&](std::size_t module) {
            report::ModuleCost &cost = costs[module];
            cost.seconds += seconds;
            if (!node.children.empty())
                return;
            if (node.flops)
                cost.flops = cost.flops.value_or(0) + *node.flops;
            else
                unknown[module] = true;
        });
    }
    // What surrounds an operator without a rule, making lists and such, costs nothing: that is no knowledge.
    for (std::size_t i = 0; i < costs.size(); ++i) {
        if (unknown[i] && costs[i].flops == 0.0)
            costs[i].flops.reset();
    }
    countCalls(graph, index, costs);
    return costs;
}

std::vector<std::pair<std::string, int>> countOperators(const graph::ModelGraph &graph)
{
    std::map<std::string, int> counts;
    for (const graph::Node &node : graph.nodes)
        ++counts[node.op];
    std::vector<std::pair<std::string, int>> sorted(counts.begin(), counts.end());
    std::stable_sort(sorted.begin(), sorted.end(), [](const auto &a, const auto &b) { return a.second > b.second; });
    return sorted;
}

} // namespace pipescope::engine

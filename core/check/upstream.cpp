#include "check/upstream.h"

#include "graph/value_classes.h"
#include "ops/operator.h"

#include <algorithm>
#include <set>
#include <string>

namespace pipescope::check {

namespace {

using graph::ModelGraph;
using graph::Node;

/// A container that holds a value shares its memory, but what is written to another item does not reach that value.
bool putsTogether(const Node &node)
{
    return ops::packs(ops::of(node).role);
}

/// Values that may share memory are one.
graph::ValueClasses memoryClasses(const ModelGraph &graph)
{
    graph::ValueClasses classes(graph.values.size());
    for (const Node &node : graph.nodes) {
        if (putsTogether(node))
            continue;
        for (const graph::Alias &alias : node.aliases)
            classes.join(alias.output, alias.input);
    }
    return classes;
}

} // namespace

ValueId outputValue(const ModelGraph &graph, std::size_t result, const std::vector<std::size_t> &places)
{
    ValueId value = graph.outputs[result];
    for (const std::size_t place : places) {
        const NodeId producer = graph.value(value).producer;
        if (!producer.valid() || !putsTogether(graph.node(producer)))
            break;
        const Node &node = graph.node(producer);
        const std::size_t operand = ops::of(node).role == ops::Role::PacksPairs ? 2 * place + 1 : place;
        if (operand >= node.operands.size() || !node.operands[operand].valid())
            break;
        value = node.operands[operand];
    }
    return value;
}

std::vector<bool> upstreamOf(const ModelGraph &graph, ValueId value)
{
    graph::ValueClasses memory = memoryClasses(graph);
    std::vector<bool> wanted(graph.values.size());
    std::set<std::string> wantedState;
    std::vector<bool> upstream(graph.order.size());
    wanted[memory.of(value)] = true;
    const auto isWanted = [&](ValueId id) { return wanted[memory.of(id)]; };
    for (int position = graph.size() - 1; position >= 0; --position) {
        const Node &node = graph.at(position);
        const bool makes = std::any_of(node.outputs.begin(), node.outputs.end(), isWanted);
        const bool writes = std::any_of(node.writes.begin(), node.writes.end(), isWanted);
        const bool assigns = std::any_of(node.stateWritten.begin(), node.stateWritten.end(),
                                         [&](const std::string &name) { return wantedState.count(name) > 0; });
        if (!makes && !writes && !assigns)
            continue;
        upstream[static_cast<std::size_t>(position)] = true;
        for (const ValueId input : node.uses)
            wanted[memory.of(input)] = true;
        wantedState.insert(node.stateRead.begin(), node.stateRead.end());
    }
    return upstream;
}

} // namespace pipescope::check

#include "exec/written_values.h"

#include "graph/value_classes.h"

namespace pipescope::exec {

namespace {

using graph::ValueKind;

// One constant number may be in a hundred lists that share nothing else.
bool hasMemory(const graph::Value &value)
{
    return value.kind != ValueKind::Constant || value.holdsTensors;
}

// Values that may share memory are in one class. Order does not matter here: what is written once is written.
graph::ValueClasses memoryClasses(const graph::ModelGraph &graph)
{
    graph::ValueClasses classes(graph.values.size());
    for (const graph::Node &node : graph.nodes)
        for (const graph::Alias &alias : node.aliases)
            if (hasMemory(graph.value(alias.output)) && hasMemory(graph.value(alias.input)))
                classes.join(alias.output, alias.input);
    return classes;
}

} // namespace

std::vector<ValueId> writtenInPlace(const graph::ModelGraph &graph)
{
    graph::ValueClasses classes = memoryClasses(graph);
    std::vector<bool> written(graph.values.size());
    for (const graph::Node &node : graph.nodes)
        for (const ValueId id : node.writes)
            written[classes.of(id)] = true;
    std::vector<ValueId> found;
    for (const graph::Value &value : graph.values)
        if (value.kind != ValueKind::Result && value.kind != ValueKind::Inner && written[classes.of(value.id)])
            found.push_back(value.id);
    return found;
}

std::vector<bool> sharesWithConstant(const graph::ModelGraph &graph)
{
    graph::ValueClasses classes = memoryClasses(graph);
    std::vector<bool> constant(graph.values.size());
    for (const graph::Value &value : graph.values)
        if (value.kind == ValueKind::Constant && value.holdsTensors)
            constant[classes.of(value.id)] = true;
    std::vector<bool> shares;
    shares.reserve(graph.values.size());
    for (const graph::Value &value : graph.values)
        shares.push_back(constant[classes.of(value.id)]);
    return shares;
}

} // namespace pipescope::exec

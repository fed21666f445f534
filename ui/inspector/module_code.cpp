#include "inspector/module_code.h"

#include "session/related.h"

#include <algorithm>
#include <map>
#include <unordered_set>

namespace pipescope::inspector {

namespace {

using graph::ValueKind;

bool isWithin(const std::string &fqn, const std::string &module)
{
    return fqn == module || fqn.starts_with(module + '.');
}

void addWithChildren(const graph::ModelGraph &graph, NodeId node, std::vector<NodeId> &nodes)
{
    nodes.push_back(node);
    for (const NodeId child : graph.node(node).children)
        addWithChildren(graph, child, nodes);
}

/// Of a call inside of an if or a loop, only the nodes of its code there.
std::vector<NodeId> nodesOf(const graph::ModelGraph &graph, const graph::ModuleCall &call)
{
    const session::OrderRange range = session::orderOf(graph, call);
    std::vector<NodeId> nodes;
    for (int position = range.begin; position < range.end; ++position)
        addWithChildren(graph, graph.at(position).id, nodes);
    if (call.inside.valid())
        std::erase_if(nodes, [&](NodeId node) { return !isWithin(graph.node(node).fqn, call.fqn); });
    return nodes;
}

bool comesIn(const graph::Value &value)
{
    return value.kind == ValueKind::Input || value.kind == ValueKind::Result || value.kind == ValueKind::Inner;
}

template <class T>
void addOnce(T item, std::unordered_set<T> &seen, std::vector<T> &items)
{
    if (seen.insert(item).second)
        items.push_back(item);
}

void countKinds(const graph::ModelGraph &graph, ModuleCode &code)
{
    std::map<std::string, int> counts;
    for (const NodeId node : code.nodes)
        ++counts[graph.node(node).op];
    code.kinds.assign(counts.begin(), counts.end());
    std::stable_sort(code.kinds.begin(), code.kinds.end(),
                     [](const auto &one, const auto &other) { return one.second > other.second; });
}

/// As the graph's memory overlay counts: top-level nodes only, what is inside of them is theirs.
void sumBytes(const graph::ModelGraph &graph, ModuleCode &code)
{
    std::int64_t sum = 0;
    for (const NodeId node : code.nodes) {
        if (graph.node(node).parent.valid())
            continue;
        for (const ValueId output : graph.node(node).outputs) {
            if (!graph.value(output).bytes)
                return;
            sum += *graph.value(output).bytes;
        }
    }
    code.madeBytes = sum;
}

void findEnds(const graph::ModelGraph &graph, ModuleCode &code)
{
    const std::unordered_set<NodeId> inside(code.nodes.begin(), code.nodes.end());
    std::unordered_set<ValueId> seen;
    std::unordered_set<NodeId> makers;
    for (const NodeId node : code.nodes)
        for (const ValueId input : graph.node(node).uses) {
            const graph::Value &value = graph.value(input);
            const bool isMadeInside = value.producer.valid() && inside.contains(value.producer);
            // A block's own variables are made by what is around them.
            if (isMadeInside || !comesIn(value) || (value.kind == ValueKind::Inner && !value.producer.valid()))
                continue;
            addOnce(input, seen, code.in);
            if (value.producer.valid())
                addOnce(value.producer, makers, code.makers);
        }
    std::unordered_set<ValueId> goingOut;
    std::unordered_set<NodeId> users;
    for (const graph::Node &node : graph.nodes) {
        if (inside.contains(node.id))
            continue;
        for (const ValueId input : node.uses)
            if (const NodeId maker = graph.value(input).producer; maker.valid() && inside.contains(maker)) {
                goingOut.insert(input);
                addOnce(node.id, users, code.users);
            }
    }
    goingOut.insert(graph.outputs.begin(), graph.outputs.end());
    for (const NodeId node : code.nodes)
        for (const ValueId output : graph.node(node).outputs)
            if (goingOut.contains(output))
                code.out.push_back(output);
}

} // namespace

ModuleCode codeOf(const graph::ModelGraph &graph, const graph::ModuleCall &call)
{
    ModuleCode code;
    code.nodes = nodesOf(graph, call);
    countKinds(graph, code);
    if (!call.inside.valid())
        sumBytes(graph, code);
    findEnds(graph, code);
    const auto own = std::find_if(code.nodes.begin(), code.nodes.end(), [&](NodeId node) {
        return graph.node(node).fqn == call.fqn && !graph.node(node).source.file.empty();
    });
    code.ownNode = own == code.nodes.end() ? nullptr : &graph.node(*own);
    return code;
}

} // namespace pipescope::inspector

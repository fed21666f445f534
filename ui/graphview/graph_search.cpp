#include "graphview/graph_search.h"

#include <algorithm>

namespace pipescope::graphview {

namespace {

bool matches(const graph::ModelGraph &graph, const graph::Node &node, const QRegularExpression &pattern)
{
    const auto has = [&](const std::string &text) { return pattern.match(QString::fromStdString(text)).hasMatch(); };
    return has(node.name) || has(node.op) || std::any_of(node.outputs.begin(), node.outputs.end(), [&](ValueId id) {
               const graph::Value &value = graph.value(id);
               return value.tensor && has(toText(*value.tensor));
           });
}

} // namespace

std::vector<BoxKey> searchGraph(const graph::ModelGraph &graph, const QRegularExpression &pattern)
{
    std::vector<BoxKey> found;
    if (!pattern.isValid() || pattern.pattern().isEmpty())
        return found;
    std::vector<NodeId> left;
    std::size_t call = 0;
    for (int position = 0; position < graph.size(); ++position) {
        for (; call < graph.calls.size() && graph.calls[call].begin <= position; ++call) {
            const graph::ModuleCall &each = graph.calls[call];
            if (!each.inside.valid() && each.begin < each.end &&
                pattern.match(QString::fromStdString(each.fqn)).hasMatch())
                found.push_back({BoxKind::Module, static_cast<int>(call)});
        }
        left.push_back(graph.order[static_cast<std::size_t>(position)]);
        while (!left.empty()) {
            const graph::Node &node = graph.node(left.back());
            left.pop_back();
            if (matches(graph, node, pattern))
                found.push_back({node.children.empty() ? BoxKind::Node : BoxKind::Block, node.id.value});
            left.insert(left.end(), node.children.rbegin(), node.children.rend());
        }
    }
    return found;
}

} // namespace pipescope::graphview

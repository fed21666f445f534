#include "graphview/box_names.h"

#include "session/stage_name.h"

#include <string_view>

namespace pipescope::graphview {

namespace {

std::string countOfOps(std::size_t count)
{
    return std::to_string(count) + (count == 1 ? " op" : " ops");
}

} // namespace

std::string relativeName(const graph::ModuleCall &call, const std::string &around)
{
    const std::size_t inside = !around.empty() && call.fqn.starts_with(around + ".") ? around.size() + 1 : 0;
    const std::string name = call.fqn.substr(session::beginOfName(call.fqn, inside));
    return call.call == 0 ? name : name + ", call " + std::to_string(call.call + 1);
}

std::string moduleDetail(const graph::ModuleCall &call, const std::string &className)
{
    const std::string ops = countOfOps(static_cast<std::size_t>(call.end - call.begin));
    return className.empty() ? ops : className + " · " + ops;
}

std::string operatorName(const graph::Node &node)
{
    if (node.op == "prim::If")
        return "if";
    if (node.op == "prim::Loop")
        return "loop";
    for (const std::string_view known : {"aten::", "prim::"}) {
        if (node.op.starts_with(known))
            return node.op.substr(known.size());
    }
    return node.op;
}

std::string nodeDetail(const graph::ModelGraph &graph, const graph::Node &node)
{
    if (node.children.empty())
        return {};
    std::size_t count = 0;
    std::vector<NodeId> left = node.children;
    while (!left.empty()) {
        const NodeId id = left.back();
        left.pop_back();
        ++count;
        left.insert(left.end(), graph.node(id).children.begin(), graph.node(id).children.end());
    }
    return countOfOps(count) + " inside";
}

std::string valueDetail(const graph::Value &value)
{
    return value.tensor ? toText(*value.tensor) : value.type;
}

} // namespace pipescope::graphview

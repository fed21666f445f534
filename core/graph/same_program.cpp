#include "graph/same_program.h"

#include <algorithm>

namespace pipescope::graph {

namespace {

bool isSameNode(const Node &a, const Node &b)
{
    return a.id == b.id && a.op == b.op && a.overload == b.overload && a.name == b.name && a.call == b.call &&
           a.parent == b.parent && a.operands == b.operands && a.uses == b.uses && a.outputs == b.outputs &&
           a.children == b.children;
}

bool isSameValue(const Value &a, const Value &b)
{
    return a.id == b.id && a.kind == b.kind && a.producer == b.producer && a.outputIndex == b.outputIndex &&
           a.name == b.name;
}

} // namespace

bool isSameProgram(const ModelGraph &a, const ModelGraph &b)
{
    return &a == &b || (a.modelClass == b.modelClass && a.method == b.method && a.order == b.order &&
                        a.calls == b.calls && a.arguments == b.arguments && a.outputs == b.outputs &&
                        std::equal(a.nodes.begin(), a.nodes.end(), b.nodes.begin(), b.nodes.end(), isSameNode) &&
                        std::equal(a.values.begin(), a.values.end(), b.values.begin(), b.values.end(), isSameValue));
}

} // namespace pipescope::graph

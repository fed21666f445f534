#include "check/bookkeeping.h"

#include "ops/operator.h"

#include <algorithm>

namespace pipescope::check {

std::vector<bool> bookkeepingValues(const graph::ModelGraph &graph)
{
    std::vector<bool> is(graph.values.size(), false);
    for (const graph::Value &value : graph.values)
        is[value.id.index()] = value.kind == graph::ValueKind::Parameter || value.kind == graph::ValueKind::Buffer;
    for (const NodeId id : graph.order) {
        const graph::Node &node = graph.node(id);
        const bool size = ops::of(node).role == ops::Role::TellsSizes;
        const bool fromSizes = std::all_of(node.uses.begin(), node.uses.end(), [&](ValueId input) {
            const graph::Value &value = graph.value(input);
            return !value.holdsTensors || value.kind == graph::ValueKind::Constant || is[input.index()];
        });
        if (node.stateRead.empty() && !node.random && (size || fromSizes))
            for (const ValueId output : node.outputs)
                is[output.index()] = true;
    }
    return is;
}

} // namespace pipescope::check

#include "code_constants.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

namespace pipescope::app {

std::vector<CodeConstant> codeConstants(const graph::ModelGraph &graph)
{
    std::vector<CodeConstant> constants;
    std::unordered_map<ValueId, std::size_t> indexOf;
    for (graph::HeldTensor &held : graph::heldTensors(graph)) {
        if (held.kind != graph::HeldKind::Constant)
            continue;
        for (const ValueId value : held.values)
            indexOf.emplace(value, constants.size());
        const graph::Value *first = &graph.value(held.values.front());
        constants.push_back({std::move(held), first, {}});
    }
    for (const graph::Node &node : graph.nodes)
        for (const ValueId value : node.uses)
            if (const auto found = indexOf.find(value); found != indexOf.end())
                if (std::vector<NodeId> &users = constants[found->second].users;
                    users.empty() || users.back() != node.id)
                    users.push_back(node.id);
    return constants;
}

} // namespace pipescope::app

// Which attributes of modules the nodes at the top level of a graph use. Private to import/.
#pragma once

#include <map>
#include <string>
#include <torch/csrc/jit/ir/ir.h>
#include <unordered_map>
#include <utility>

namespace pipescope::import {

/// The module's value in the graph, and the attribute's name.
using StateKey = std::pair<const torch::jit::Value *, std::string>;

/// What a node and the nodes of its blocks do with attributes.
struct StateUses
{
    std::map<StateKey, bool> attributes; ///< whether it is assigned
    bool any = false;                    ///< the node may use all of them: a call that is left in the graph

    [[nodiscard]] bool uses(const StateKey &key) const { return any || attributes.contains(key); }
    [[nodiscard]] bool assigns(const StateKey &key) const
    {
        const auto found = attributes.find(key);
        return any || (found != attributes.end() && found->second);
    }
};

/// Of a prim::GetAttr or prim::SetAttr of a module that is an input of the graph; the value is null for other nodes.
[[nodiscard]] StateKey stateKeyOf(const torch::jit::Node &node);

[[nodiscard]] StateUses stateUsesOf(const torch::jit::Node &node);

} // namespace pipescope::import

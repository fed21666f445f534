// What a call of a module runs, counted.
#pragma once

#include "graph/model_graph.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace pipescope::inspector {

struct ModuleCode
{
    std::vector<NodeId> nodes;                      ///< nested ones included, in program order
    std::vector<std::pair<std::string, int>> kinds; ///< operator and count, most used first, then by name
    std::optional<std::int64_t> madeBytes;          ///< of all that its nodes make, where all of it was measured
    std::vector<ValueId> in;                        ///< made or given outside of it and used inside; nothing held
    std::vector<ValueId> out;                       ///< made inside and used outside or returned
    std::vector<NodeId> makers;                     ///< of what comes in, each once
    std::vector<NodeId> users;                      ///< of what goes out, each once
    const graph::Node *ownNode = nullptr;           ///< the first of its own code with a source line; nullptr: none
};

[[nodiscard]] ModuleCode codeOf(const graph::ModelGraph &graph, const graph::ModuleCall &call);

} // namespace pipescope::inspector

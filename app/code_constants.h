// The tensors that are constants of the code, with the nodes that use them: as `inspect` lists them.
#pragma once

#include "graph/held_tensors.h"

#include <vector>

namespace pipescope::app {

struct CodeConstant
{
    graph::HeldTensor held;
    const graph::Value *value = nullptr; ///< the first that it is, of the graph
    std::vector<NodeId> users;           ///< in the order of the nodes, nested ones and those around them included
};

/// The graph must outlive them.
[[nodiscard]] std::vector<CodeConstant> codeConstants(const graph::ModelGraph &graph);

} // namespace pipescope::app

// Which values of a method's arguments could decide something in its graph.
#pragma once

#include "graph/model_graph.h"

#include <vector>

namespace pipescope::graph {

/// The graph's arguments that hold no tensors: a number, a bool, a text or None, or several of these, is given for
/// them. In the method's order.
[[nodiscard]] std::vector<Argument> plainArguments(const ModelGraph &graph);

/// Whether a node holds others, as a branch and a loop do. Without any, no argument's value decides what runs.
[[nodiscard]] bool hasBranches(const ModelGraph &graph);

} // namespace pipescope::graph

// Which nodes have a part in one value of a graph.
#pragma once

#include "graph/model_graph.h"

#include <cstddef>
#include <vector>

namespace pipescope::check {

/// The value at `places` inside one of the graph's outputs, as far as the tuples, lists and dicts on the way are put
/// together in the graph itself; else the innermost container that is.
[[nodiscard]] ValueId outputValue(const graph::ModelGraph &graph, std::size_t result,
                                  const std::vector<std::size_t> &places);

/// By position in the program order: whether what the node computes, writes in place or assigns can reach the value.
[[nodiscard]] std::vector<bool> upstreamOf(const graph::ModelGraph &graph, ValueId value);

} // namespace pipescope::check

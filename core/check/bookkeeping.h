// Values that may differ from call to call without any row depending on another.
#pragma once

#include "graph/model_graph.h"

#include <vector>

namespace pipescope::check {

/// By value: parameters and buffers, sizes and indices made into tensors, and what is computed from these alone (batch
/// norm counts its batches). They harm nobody by themselves; what they are used for may. Traced models are full of
/// them.
[[nodiscard]] std::vector<bool> bookkeepingValues(const graph::ModelGraph &graph);

} // namespace pipescope::check

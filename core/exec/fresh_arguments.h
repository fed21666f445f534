// Arguments a run may spoil. A model that writes its arguments in place would change the caller's tensors, and the next
// run would see other inputs than the first.
#pragma once

#include "graph/model_graph.h"

#include <ATen/core/ivalue.h>
#include <vector>

namespace pipescope::exec {

/// The same values by argument position; those whose memory the method may write, directly or through an alias, are
/// copies.
[[nodiscard]] std::vector<c10::IValue> freshArguments(const graph::ModelGraph &graph,
                                                      const std::vector<c10::IValue> &arguments);

} // namespace pipescope::exec

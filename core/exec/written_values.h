// Which of the values that outlive a run the method writes in place.
#pragma once

#include "graph/model_graph.h"

#include <vector>

namespace pipescope::exec {

/// Arguments, parameters, buffers, attributes and constants whose memory some node may write, ascending by id.
/// Conservative: everything that may share memory with a written value counts as written.
[[nodiscard]] std::vector<ValueId> writtenInPlace(const graph::ModelGraph &graph);

/// By value, whether it may share memory with a tensor that is a constant of the code. Conservative likewise.
[[nodiscard]] std::vector<bool> sharesWithConstant(const graph::ModelGraph &graph);

} // namespace pipescope::exec

// Whether two graphs are of the same program, so that what was kept of one by its ids holds in the other too.
#pragma once

#include "graph/model_graph.h"

namespace pipescope::graph {

/// True where every node, value, position, call and argument of one graph is the same in the other: they may differ in
/// what profiling measures and in what is told of a node besides. False for two methods, for a model and its outline,
/// and for files of another program, unless these say the same word for word.
[[nodiscard]] bool isSameProgram(const ModelGraph &a, const ModelGraph &b);

} // namespace pipescope::graph

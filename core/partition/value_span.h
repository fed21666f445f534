// Where each value of a graph is made and used, as positions in the top-level order. Private to partition/.
#pragma once

#include "graph/model_graph.h"

#include <vector>

namespace pipescope::partition {

/// -1 stands for "not at all": an argument is made nowhere, an unused result has no use.
struct ValueSpan
{
    int made = -1;
    int firstUse = -1;
    int lastUse = -1;
};

/// One span for each value of the graph, by ValueId.
[[nodiscard]] std::vector<ValueSpan> valueSpans(const graph::ModelGraph &graph);

} // namespace pipescope::partition

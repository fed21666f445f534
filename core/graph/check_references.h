// Whether a graph that came from outside holds together.
#pragma once

#include "base/result.h"
#include "graph/model_graph.h"

namespace pipescope::graph {

/// Every id is that of something the graph has, nodes and values stand at the place of their own id, parents hold their
/// children and no node is inside itself, calls and markers lie within the order: what all other code relies on. Says
/// nothing of whether operands are made before they are used. Error: InvalidFile naming what is wrong.
Status checkReferences(const ModelGraph &graph);

} // namespace pipescope::graph

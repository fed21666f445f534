// What stays selected once the same model was read otherwise: from its outline to its graph, and back.
#pragma once

#include "graph/model_graph.h"
#include "session/selection.h"

namespace pipescope::session {

/// Once `to` stands in place of `from`, the same model read otherwise: a node that both have for certain, one of as
/// many of its kind in its module, stays selected, and so do a parameter and a module that is called in both. Of all
/// else nothing does.
void carryOver(Selection &selection, const graph::ModelGraph &from, const graph::ModelGraph &to);

} // namespace pipescope::session

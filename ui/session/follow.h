// Making something the selection that was kept as a value, as links do, or that another graph had.
#pragma once

#include "graph/model_graph.h"
#include "session/selection.h"

namespace pipescope::session {

/// Makes `selected` the selection, whatever kind of thing it is; nothing happens for nothing.
void follow(Selection &selection, const Selected &selected);

/// Once `to` stands in place of `from`, the same model read otherwise: a node that both have for certain, one of as
/// many of its kind in its module, stays selected, and so does a parameter. Of all else nothing is.
void carryOver(Selection &selection, const graph::ModelGraph &from, const graph::ModelGraph &to);

} // namespace pipescope::session

// What stays selected once something else stands in place of what it was selected in: the same model read otherwise,
// from its outline to its graph and back, another method of it, or another run.
#pragma once

#include "graph/model_graph.h"
#include "session/selection.h"
#include "trace/event.h"

namespace pipescope::session {

/// The node of `to` that is this one of `from` for certain, the same model and method read otherwise: of its name, and
/// one of as many of its kind in its module. Invalid where there is none.
[[nodiscard]] NodeId sameNode(const graph::ModelGraph &from, NodeId node, const graph::ModelGraph &to);

/// Once `to` stands in place of `from`, the same model read otherwise: a node that both have for certain stays
/// selected, and so do a parameter and a module that is called in both. Of all else nothing does; of another method no
/// node does either.
void carryOver(Selection &selection, const graph::ModelGraph &from, const graph::ModelGraph &to);

/// Once the trace `to` of `run` is shown in place of another one: an action and a rank are selected in it where it has
/// them too, a span of time is not, as nothing of it is the same. What is no part of a run is left alone.
void carryOver(Selection &selection, const trace::Trace &to, RunId run);

} // namespace pipescope::session

// Whether a run is of the model as it is open now, and what of that model a run tells of: its ids are those of the
// model that was run.
#pragma once

#include "plan/plan.h"
#include "session/document.h"

#include <string>

namespace pipescope::session {

/// False for a run of another model or method, for one whose graph was specialised for other values, and of another
/// file at the same path. `sha256` is of the model that was run; "" where it is not known, as the document's may be.
[[nodiscard]] bool isOfModel(const plan::Plan &run, const std::string &sha256, const Document &document);

/// The node of that id and name that a run found, in the model that is open. Invalid for a run of another model or
/// method, and where the model was only read since or has another node there. `run` is the plan with the hash of the
/// model that was run; `name` is "" where it is not known.
[[nodiscard]] NodeId nodeOf(const plan::Plan &run, NodeId node, const std::string &name, const Document &document);

} // namespace pipescope::session

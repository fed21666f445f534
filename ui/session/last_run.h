// Which run belongs to what is edited now: what it measured holds for it.
#pragma once

#include "session/document.h"
#include "session/run_controller.h"

namespace pipescope::session {

/// The last run of the document's model, file and method by the plan as it is now, whatever the tolerances; nullptr
/// where there is none. Its stages are these, however its plan or this one words them ("markers", names out of order,
/// the names the engine gave them). All else that a measurement depends on is the same: inputs, microbatches, schedule,
/// devices, threads, seed, gradients.
[[nodiscard]] Run lastRun(const RunController &controller, const Document &document);

} // namespace pipescope::session

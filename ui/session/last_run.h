// Which run belongs to what is edited now.
#pragma once

#include "session/document.h"
#include "session/run_controller.h"

namespace pipescope::session {

/// The last run of the document's model in these stages, however its plan or this one words them ("markers", names out
/// of order, the names the engine gave them); nullptr where there is none.
[[nodiscard]] Run lastRun(const RunController &controller, const Document &document);

} // namespace pipescope::session

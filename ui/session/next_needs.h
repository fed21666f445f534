// What a run of the document would need of the engine's machine, told while it can still be changed.
#pragma once

#include "report/run_needs.h"
#include "session/run_controller.h"

#include <optional>

namespace pipescope::session {

/// As far as it is known: shapes after a profile, or a run of the same plan, which measured what it kept; stages once
/// the model is loaded, ranks where the schedule is no file and not very long. nullopt where no model is there.
[[nodiscard]] std::optional<report::RunNeeds> needsOf(const RunController &controller);

} // namespace pipescope::session

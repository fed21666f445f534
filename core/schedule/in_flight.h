// How many microbatches are under way at once where a schedule's forwards are run: the limit that a run keeps to, and
// what it comes to. Runs and the estimate of what they need ask here.
#pragma once

#include "base/result.h"
#include "schedule/feeds.h"
#include "schedule/schedule.h"

namespace pipescope::schedule {

/// The limit to run with; 0 for none. `wanted` above 0 is kept; else it is stages + 2, or none where the schedule needs
/// more (one that runs all microbatches of one stage before the next). `forwards` is as schedule/forwards_of.h makes
/// it. Errors: as validateSchedule with that limit.
Result<int> inFlightLimit(const Schedule &forwards, const Feeds &feeds, int wanted);

/// The most microbatches begun and not ended at once: all of them, unless there is a limit (not 0).
[[nodiscard]] int mostInFlight(int limit, int microbatches);

} // namespace pipescope::schedule

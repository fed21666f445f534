// Whether the ranks' orders can be run together: nobody waits for something that comes later. Private to schedule/.
#pragma once

#include "schedule/feeds.h"
#include "schedule/schedule.h"

namespace pipescope::schedule {

/// Step 4 of validateSchedule. Runs a complete schedule without time: every rank does its next action as soon as what
/// it needs (needs.h) is done: a computation by `feeds`, a transfer that is spelled out by `neighbours`. A microbatch
/// begins only while fewer than `maxInFlight` are under way (0: no limit; credit.h). Time and memory are linear in the
/// number of actions and what they need. Error: Deadlock, with the circle of ranks that wait for each other.
Status checkOrder(const Schedule &schedule, const Feeds &feeds, const Feeds &neighbours, int maxInFlight);

} // namespace pipescope::schedule

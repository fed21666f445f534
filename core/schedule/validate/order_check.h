// Whether the ranks' orders can be run together: nobody waits for something that comes later. Private to schedule/.
#pragma once

#include "schedule/schedule.h"

namespace pipescope::schedule {

/// Step 4 of validateSchedule. Runs a complete schedule without time: every rank does its next action as soon as what
/// it needs is done. A forward needs its microbatch's forward of the stage before, a backward that of the stage after,
/// a receive its send, the wait for a send its receive. A compound begins when all its parts could, but for what they
/// give each other. A microbatch begins (0F) only while fewer than `maxInFlight` are under way (0: no limit); what ends
/// one is said at ValidateOptions. Time and memory are linear in the number of actions. Error: Deadlock, with the
/// circle of ranks that wait for each other.
Status checkOrder(const Schedule &schedule, int maxInFlight);

} // namespace pipescope::schedule

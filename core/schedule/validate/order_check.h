// Whether the ranks' orders can be run together: nobody waits for something that comes later. Private to schedule/.
#pragma once

#include "schedule/feeds.h"
#include "schedule/schedule.h"

namespace pipescope::schedule {

/// Step 4 of validateSchedule. Runs a complete schedule without time: every rank does its next action as soon as what
/// it needs (needs.h) is done. Transfers that are spelled out go between neighbours, whoever feeds whom. A microbatch
/// begins (0F) only while fewer than `maxInFlight` are under way (0: no limit); what ends one is said at
/// ValidateOptions. Time and memory are linear in the number of actions and what they need. Error: Deadlock, with the
/// circle of ranks that wait for each other.
Status checkOrder(const Schedule &schedule, const Feeds &feeds, int maxInFlight);

} // namespace pipescope::schedule

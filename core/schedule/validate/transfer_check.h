// Whether the transfers that a schedule spells out (SEND_F, RECV_F, ...) fit its computations and each other. Private
// to schedule/.
#pragma once

#include "schedule/feeds.h"
#include "schedule/schedule.h"

namespace pipescope::schedule {

/// Step 3 of validateSchedule, for a schedule whose rows are in order. One without any send or receive leaves transfers
/// to the runtime and is fine. With them: what is sent has been computed, what is computed has been received, each send
/// has its receive between `neighbours`, and for each ordered pair of ranks both name the messages in the same order.
/// (Upstream checks neither of the last two, and breaks the last itself in some schedules, which then give wrong
/// numbers.)
Status checkTransfers(const Schedule &schedule, const Feeds &neighbours);

} // namespace pipescope::schedule

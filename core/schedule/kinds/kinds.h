// The two functions of each row of the schedule table: whether there is such a schedule for a request that makes sense
// by itself (checkRequest), and the schedule for a request that fits. Private to schedule/.
#pragma once

#include "schedule/schedule.h"
#include "schedule/schedule_request.h"

namespace pipescope::schedule {

/// F0..F(M-1) on every rank; no backward. A rank with several stages runs them breadth first (all microbatches of its
/// first stage, then of its next), which fills and drains the pipeline soonest.
[[nodiscard]] Status fitsForward(const ScheduleRequest &request);
[[nodiscard]] Schedule buildForward(const ScheduleRequest &request);

/// All forwards, then all backwards in the same microbatch order, as torch's ScheduleGPipe. One stage per rank.
[[nodiscard]] Status fitsGpipe(const ScheduleRequest &request);
[[nodiscard]] Schedule buildGpipe(const ScheduleRequest &request);

} // namespace pipescope::schedule

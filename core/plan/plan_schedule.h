// The request of a plan to the schedule table.
#pragma once

#include "schedule/schedule_request.h"

namespace pipescope::plan {

/// A rank for each of the plan's devices; one for each stage where the plan has none (0).
[[nodiscard]] schedule::ScheduleRequest scheduleRequest(int devices, int stages, int microbatches);

} // namespace pipescope::plan

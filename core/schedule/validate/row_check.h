// Whether the actions of a schedule are possible where they stand on their rank, and all there. Private to schedule/.
#pragma once

#include "schedule/schedule.h"

namespace pipescope::schedule {

/// Steps 1 and 2 of validateSchedule.
Status checkRows(const Schedule &schedule, bool needsBackward);

} // namespace pipescope::schedule

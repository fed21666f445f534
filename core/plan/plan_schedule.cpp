#include "plan/plan_schedule.h"

namespace pipescope::plan {

schedule::ScheduleRequest scheduleRequest(int devices, int stages, int microbatches)
{
    return {devices == 0 ? stages : devices, stages, microbatches};
}

} // namespace pipescope::plan

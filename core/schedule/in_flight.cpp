#include "schedule/in_flight.h"

#include "schedule/validate_schedule.h"

#include <algorithm>

namespace pipescope::schedule {

Result<int> inFlightLimit(const Schedule &forwards, const Feeds &feeds, int wanted)
{
    ValidateOptions options;
    options.needsBackward = false;
    options.feeds = feeds;
    options.maxInFlight = wanted > 0 ? wanted : forwards.stages + 2;
    Status valid = validateSchedule(forwards, options);
    if (!valid && valid.error().code == ErrorCode::Deadlock && wanted == 0) {
        options.maxInFlight = 0;
        valid = validateSchedule(forwards, options);
    }
    if (!valid)
        return valid.error();
    return options.maxInFlight;
}

int mostInFlight(int limit, int microbatches)
{
    return limit > 0 ? std::min(limit, microbatches) : microbatches;
}

} // namespace pipescope::schedule

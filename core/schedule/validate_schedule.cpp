#include "schedule/validate_schedule.h"

#include "schedule/validate/order_check.h"
#include "schedule/validate/row_check.h"
#include "schedule/validate/transfer_check.h"

namespace pipescope::schedule {

Status validateSchedule(const Schedule &schedule, const ValidateOptions &options)
{
    if (Status rows = checkRows(schedule, options.needsBackward); !rows)
        return rows;
    if (Status transfers = checkTransfers(schedule); !transfers)
        return transfers;
    return checkOrder(schedule, options.feeds.value_or(Feeds::chain(schedule.stages)), options.maxInFlight);
}

} // namespace pipescope::schedule

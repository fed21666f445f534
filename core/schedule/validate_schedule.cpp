#include "schedule/validate_schedule.h"

#include "schedule/validate/order_check.h"
#include "schedule/validate/row_check.h"
#include "schedule/validate/transfer_check.h"

namespace pipescope::schedule {

Status validateSchedule(const Schedule &schedule, const ValidateOptions &options)
{
    if (Status rows = checkRows(schedule, options.needsBackward); !rows)
        return rows;
    const Feeds neighbours = Feeds::chain(schedule.stages);
    if (Status transfers = checkTransfers(schedule, neighbours); !transfers)
        return transfers;
    const Feeds &feeds = options.feeds ? *options.feeds : neighbours;
    return checkOrder(schedule, feeds, neighbours, options.maxInFlight);
}

} // namespace pipescope::schedule

#include "schedule/forwards_of.h"

#include <fmt/format.h>

namespace pipescope::schedule {

std::string forwardsName(std::string_view schedule)
{
    return fmt::format("forwards of {}", schedule);
}

Schedule forwardsOf(const Schedule &schedule)
{
    Schedule forwards{schedule.name, schedule.stages, schedule.microbatches, {}};
    bool leavesBackwardsOut = false;
    for (const Row &row : schedule.ranks) {
        Row &kept = forwards.ranks.emplace_back();
        for (const Cell &cell : row) {
            if (!cell)
                continue;
            for (const Action &action : partsOf(*cell)) {
                if (action.kind == ActionKind::Forward)
                    kept.emplace_back(action);
                else if (isCompute(action.kind))
                    leavesBackwardsOut = true;
            }
        }
    }
    if (leavesBackwardsOut)
        forwards.name = forwardsName(schedule.name);
    return forwards;
}

} // namespace pipescope::schedule

// The part of a schedule that a run without training does. Backwards are left out here and nowhere else, once, where
// such a run is asked for; whoever gets the result runs all of it.
#pragma once

#include "schedule/schedule.h"

#include <string>
#include <string_view>

namespace pipescope::schedule {

/// "forwards of gpipe": what a run is called that leaves the schedule's backwards out.
[[nodiscard]] std::string forwardsName(std::string_view schedule);

/// Each rank's forwards in their order, and nothing else: that of a compound stands in its place, and what a forward
/// takes and gives is sent without being told to. Named by forwardsName() where backwards are left out. Of a valid
/// schedule it is a valid one.
[[nodiscard]] Schedule forwardsOf(const Schedule &schedule);

} // namespace pipescope::schedule

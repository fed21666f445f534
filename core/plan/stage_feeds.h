// Which stages of a partition feed which: where the graph's side of a plan meets its schedules.
#pragma once

#include "partition/partition.h"
#include "schedule/feeds.h"

namespace pipescope::plan {

/// As the partition's transfers have it, those that skip stages included; arguments come from no stage.
[[nodiscard]] schedule::Feeds feedsOf(const partition::Partition &partition);

} // namespace pipescope::plan

// The gaps of a lane, each with its cause.
#pragma once

#include "timeline/slice.h"

#include <vector>

namespace pipescope::timeline {

struct Lane;
class LaneModel;

/// Between the run's first begin and last end, all time in which the lane neither computes nor hands values on: cut
/// where its waits end, so that each has one cause. Needs the lane's slices, the run's range and the dependencies.
[[nodiscard]] std::vector<Bubble> bubblesOf(const LaneModel &model, const Lane &lane);

} // namespace pipescope::timeline

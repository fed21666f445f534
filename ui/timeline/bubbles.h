// The gaps of a lane, each with its cause.
#pragma once

#include "timeline/slice.h"

#include <cstdint>
#include <span>
#include <vector>

namespace pipescope::timeline {

struct Lane;
class LaneModel;

/// Between the run's first begin and last end, all time in which the lane neither computes nor hands values on: cut
/// where its waits end, and where what was waited for had come, so that each has one cause. Needs the lane's slices,
/// the run's range and the dependencies; `lateSince` is what trace::LateStarts says of each event.
[[nodiscard]] std::vector<Bubble> bubblesOf(const LaneModel &model, const Lane &lane,
                                            std::span<const std::int64_t> lateSince);

} // namespace pipescope::timeline

// The gaps of a lane, each with its cause.
#pragma once

#include "trace/explain/slice.h"

#include <cstdint>
#include <span>
#include <vector>

namespace pipescope::trace {

struct Lane;
class Explanation;

/// Between the run's first begin and last end, all time in which the lane neither computes nor hands values on: cut
/// where its waits end, and where what was waited for had come, so that each has one cause. Needs the lane's slices,
/// the run's range and the dependencies; `lateSince` is what LateStarts says of each event.
[[nodiscard]] std::vector<Bubble> bubblesOf(const Explanation &explained, const Lane &lane,
                                            std::span<const std::int64_t> lateSince);

} // namespace pipescope::trace

// What cards, tables and screen readers say of slices and bubbles. Plain UTF-8 text, a fact per line.
#pragma once

#include "timeline/lane_model.h"

#include <string>

namespace pipescope::timeline {

/// "2F3", "send h1 to stage 2", "bubble", ...
[[nodiscard]] std::string nameOf(const LaneModel &model, Spot spot);

/// "warm-up", "cool-down", ... One word or two.
[[nodiscard]] std::string causeName(BubbleCause cause);

/// "waiting for stage 1's microbatch 3 (h1)".
[[nodiscard]] std::string causeOf(const LaneModel &model, const Bubble &bubble);

/// What a hover card says, the first line as a title.
[[nodiscard]] std::string describe(const LaneModel &model, Spot spot);

} // namespace pipescope::timeline

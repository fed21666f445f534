// Who kept a rank waiting: the compute a bubble waited for, what that one had itself been kept waiting by, and so on.
#pragma once

#include "timeline/lane_model.h"

#include <optional>
#include <span>
#include <vector>

namespace pipescope::timeline {

/// The bubbles of its rank between the compute before this one and this one.
[[nodiscard]] std::span<const Bubble> bubblesBefore(const LaneModel &model, SliceRef compute);

/// The longest of those that have a known reason; null where there is none.
[[nodiscard]] const Bubble *longestKnown(std::span<const Bubble> bubbles);

/// What the first action after the bubble needed and had not got.
[[nodiscard]] std::optional<SliceRef> awaitedBy(const LaneModel &model, const Lane &lane, const Bubble &bubble);

/// From where it began to what was waited for at last; empty where nothing is known. A compute belongs to it as long
/// as its rank, too, was idle before because of another.
[[nodiscard]] std::vector<SliceRef> chainOf(const LaneModel &model, const Lane &lane, const Bubble &bubble);

} // namespace pipescope::timeline

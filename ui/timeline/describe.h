// What cards, tables and screen readers say of slices and bubbles. Plain text, a fact per line.
#pragma once

#include "timeline/lane_model.h"

#include <QString>
#include <vector>

namespace pipescope::timeline {

/// "2F3", "send h1 to stage 2", "bubble", ...
[[nodiscard]] QString nameOf(const LaneModel &model, Spot spot);

/// "wait (input)".
[[nodiscard]] QString waitName(trace::WaitCause cause);

/// "fill", "drain", "input", ... One word or two.
[[nodiscard]] QString causeName(BubbleCause cause);

/// "waiting for stage 1's microbatch 3 (h1)".
[[nodiscard]] QString causeOf(const LaneModel &model, const Bubble &bubble);

/// What makes bubbles of the cause smaller: "devices of their own".
[[nodiscard]] QString remedyFor(BubbleCause cause);

/// What led to a bubble: "0F0 → 1F0 → here". Of a long chain the beginning and the end.
[[nodiscard]] QString chainText(const LaneModel &model, const std::vector<SliceRef> &chain);

/// How long a compute's rank did nothing before it.
[[nodiscard]] double waitedNs(const LaneModel &model, SliceRef compute);

/// The bubble that tells best what a compute waited for: one in which it was not running, where that took more than a
/// hundredth of the compute, else the longest that has a known reason. Null where it did not wait for anything known.
[[nodiscard]] const Bubble *waitNamed(const LaneModel &model, SliceRef compute);

/// What that one says: "1F0 on rank 1 (fill)", "nothing (not running)"; empty without one.
[[nodiscard]] QString waitedFor(const LaneModel &model, SliceRef compute);

/// Bytes of what a compute received from other stages; 0 too where its trace has no receives.
[[nodiscard]] double bytesInto(const LaneModel &model, SliceRef compute);

/// "from 1.20 ms to 3.40 ms".
[[nodiscard]] QString whenOf(TimeRange time);

/// What a lane held at a time: "memory of rank 0 at 1.20 ms: 24.0 MiB\npeak 30.1 MiB".
[[nodiscard]] QString describeMemory(const Lane &lane, double ns);

/// What a hover card says, the first line as a title.
[[nodiscard]] QString describe(const LaneModel &model, Spot spot);

} // namespace pipescope::timeline

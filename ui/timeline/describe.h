// The words of cards, tables and screen readers for slices and bubbles. Plain text, a fact per line.
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
[[nodiscard]] QString causeName(trace::BubbleCause cause);

/// "waiting for stage 1's microbatch 3 (h1)".
[[nodiscard]] QString causeOf(const LaneModel &model, const trace::Bubble &bubble);

/// What makes bubbles of the cause smaller: "devices of their own".
[[nodiscard]] QString remedyFor(trace::BubbleCause cause);

/// What led to a bubble: "0F0 → 1F0 → here". Of a long chain the beginning and the end.
[[nodiscard]] QString chainText(const LaneModel &model, const std::vector<trace::SliceRef> &chain);

/// What a compute waited for, as trace::waitNamed has it: "1F0 on rank 1 (fill)", "nothing (not running)"; empty
/// without one.
[[nodiscard]] QString waitedFor(const LaneModel &model, trace::SliceRef compute);

/// "from 1.20 ms to 3.40 ms".
[[nodiscard]] QString whenOf(trace::TimeRange time);

/// The memory that a rank held at the time `ns`: "Memory of rank 0: 24.0 MiB at 1.20 ms\npeak 30.1 MiB".
[[nodiscard]] QString describeMemory(RankId rank, const MemoryCurve &memory, double ns);

/// What a hover card says, the first line as a title.
[[nodiscard]] QString describe(const LaneModel &model, Spot spot);

} // namespace pipescope::timeline

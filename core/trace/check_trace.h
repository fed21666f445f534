// Whether a trace that came from outside holds together.
#pragma once

#include "base/result.h"
#include "trace/event.h"

#include <cstddef>
#include <cstdint>

namespace pipescope::trace {

// The most that a trace may have: views make a row for each rank, and sums of times must not overflow.
inline constexpr int MostRanks = 1 << 16; ///< and stages
inline constexpr int MostMicrobatches = 1 << 30;
inline constexpr std::size_t MostFeeds = 1 << 18;                    ///< edges between stages
inline constexpr std::int64_t LargestNumber = std::int64_t{1} << 60; ///< of nanoseconds (36 years) and bytes
inline constexpr std::size_t LongestText = 64 << 10;                 ///< of a title, a name, a value

/// Counts are neither negative nor more than above, no text is longer, there is a name for each rank (or none at all),
/// stages feed later stages alone, every event and memory sample is of a rank, stage and microbatch that the trace has,
/// ends after it begins, and comes in the order of time; every action is of ComputeKinds: what all other code relies
/// on. Error: InvalidFile naming what is wrong.
Status checkTrace(const Trace &trace);

} // namespace pipescope::trace

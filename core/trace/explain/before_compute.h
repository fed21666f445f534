// Looks at a rank before one of its computes: how long it stood still, for what, and how much it received.
#pragma once

#include "trace/explain/explanation.h"

#include <span>

namespace pipescope::trace {

/// The bubbles of its rank between the compute before this one and this one.
[[nodiscard]] std::span<const Bubble> bubblesBefore(const Explanation &explained, SliceRef compute);

/// The longest of those that have a known reason; null where there is none.
[[nodiscard]] const Bubble *longestKnown(std::span<const Bubble> bubbles);

/// How long a compute's rank did nothing before it.
[[nodiscard]] double waitedNs(const Explanation &explained, SliceRef compute);

/// The bubble that tells best what a compute waited for: one in which it was not running, where that took more than a
/// hundredth of the compute, else the longest that has a known reason. Null where it did not wait for anything known.
[[nodiscard]] const Bubble *waitNamed(const Explanation &explained, SliceRef compute);

/// Bytes of what a compute received from other stages; 0 too where its trace has no receives.
[[nodiscard]] double bytesInto(const Explanation &explained, SliceRef compute);

/// The median time of all computes of its stage that are of its kind.
[[nodiscard]] double medianNsLike(const Explanation &explained, SliceRef compute);

} // namespace pipescope::trace

// How heavy the parts of a chain have to be, and how heavy the lightest one can be. Private to partition/.
#pragma once

#include <cstdint>
#include <vector>

namespace pipescope::partition {

/// What a part may weigh, both included.
struct PartLimits
{
    std::int64_t least = 0;
    std::int64_t most = 0;
};

/// The smallest weight of the heaviest part, where a chain is cut into `stages` parts. `loads`: by place to cut at,
/// with start and end, what lies before it; ascending from 0, with at least `stages` + 1 entries. Time is O(stages *
/// log(loads) * 52).
[[nodiscard]] std::int64_t smallestLargest(const std::vector<std::int64_t> &loads, int stages);

/// The largest weight of the lightest part, where none weighs more than `most` (at least smallestLargest()). Time is
/// O(stages * loads * 52).
[[nodiscard]] std::int64_t largestSmallest(const std::vector<std::int64_t> &loads, std::int64_t most, int stages);

} // namespace pipescope::partition

// The cheapest way to cut a chain into parts. Private to partition/.
#pragma once

#include "partition/part_limits.h"

#include <cstdint>
#include <vector>

namespace pipescope::partition {

/// A value that a part has to be sent. Parts go from point to point; the one from `begin` to `end` is sent the value
/// where since <= begin < point <= end: it is used just before `point`, and made or last used just before `since`.
struct Receipt
{
    int since = 0;
    int point = 0;
    std::int64_t bytes = 0;

    friend bool operator==(const Receipt &, const Receipt &) = default;
};

/// Points are the start, each place to cut at, and the end. Vectors are by point.
struct Chain
{
    std::vector<std::int64_t> loads; ///< of all before the point; ascending from 0
    std::vector<int> depths;         ///< how many module calls a cut there goes through
    std::vector<Receipt> receipts;   ///< ascending by `point`
};

/// The points, without start and end, of the `stages` parts, all within the limits, that are sent the fewest bytes;
/// among those, the ones whose cuts go through the fewest module calls (a call counts for each cut through it), then
/// the most even ones (smallest sum of squared loads), then those that are cut latest, the last cut first. Some such
/// parts must exist. Time is O(stages * (points + receipts) * log²(points)) at the worst.
[[nodiscard]] std::vector<int> cheapestPath(const Chain &chain, PartLimits limits, int stages);

} // namespace pipescope::partition

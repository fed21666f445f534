#include "partition/part_limits.h"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace pipescope::partition {

namespace {

// Whether exactly `stages` parts can be within the limits.
bool canBeCut(const std::vector<std::int64_t> &loads, PartLimits limits, int stages)
{
    std::vector<char> before(loads.size(), 0); // by point: whether some parts end there
    before[0] = 1;
    for (int parts = 0; parts < stages; ++parts) {
        std::vector<char> reached(loads.size(), 0);
        std::size_t first = 0; // of the points a part may begin at
        std::size_t past = 0;
        std::ptrdiff_t ways = 0; // how many of them are the end of parts
        for (std::size_t end = 1; end < loads.size(); ++end) {
            for (; past < end && loads[end] - loads[past] >= limits.least; ++past)
                ways += before[past];
            for (; first < past && loads[end] - loads[first] > limits.most; ++first)
                ways -= before[first];
            reached[end] = ways > 0 ? 1 : 0;
        }
        before = std::move(reached);
    }
    return before.back() != 0;
}

} // namespace

std::int64_t smallestLargest(const std::vector<std::int64_t> &loads, int stages)
{
    std::int64_t low = 0;
    for (std::size_t i = 1; i < loads.size(); ++i)
        low = std::max(low, loads[i] - loads[i - 1]);
    std::int64_t high = loads.back();
    while (low < high) {
        const std::int64_t limit = low + (high - low) / 2;
        // Cutting a part in two never makes the largest one larger, so "at most `stages` parts" is enough to ask.
        auto reached = loads.begin();
        int parts = 0;
        for (; parts < stages && reached + 1 != loads.end(); ++parts)
            reached = std::upper_bound(reached, loads.end(), *reached + limit) - 1;
        if (reached + 1 == loads.end())
            high = limit;
        else
            low = limit + 1;
    }
    return low;
}

std::int64_t largestSmallest(const std::vector<std::int64_t> &loads, std::int64_t most, int stages)
{
    std::int64_t low = 0;
    std::int64_t high = loads.back() / stages;
    while (low < high) {
        const std::int64_t least = high - (high - low) / 2;
        if (canBeCut(loads, {least, most}, stages))
            low = least;
        else
            high = least - 1;
    }
    return low;
}

} // namespace pipescope::partition

#include "trace/explain/longest_bubbles.h"

#include <algorithm>
#include <tuple>

namespace pipescope::trace {

namespace {

struct Place
{
    const Lane *lane;
    const Bubble *bubble;
};

bool comesFirst(const Place &one, const Place &other)
{
    return std::tuple(-one.bubble->time.spanNs(), one.bubble->time.beginNs, one.lane->rank) <
           std::tuple(-other.bubble->time.spanNs(), other.bubble->time.beginNs, other.lane->rank);
}

} // namespace

LongestBubbles longestBubbles(const Explanation &explained, std::size_t most)
{
    std::vector<Place> places;
    for (const Lane &lane : explained.lanes())
        for (const Bubble &bubble : lane.bubbles)
            places.push_back({&lane, &bubble});
    const std::size_t told = std::min(most, places.size());
    std::partial_sort(places.begin(), places.begin() + static_cast<std::ptrdiff_t>(told), places.end(), comesFirst);
    LongestBubbles longest;
    for (std::size_t i = 0; i < told; ++i)
        longest.told.push_back({places[i].lane->rank, *places[i].bubble,
                                toldChain(chainOf(explained, *places[i].lane, *places[i].bubble))});
    longest.others = places.size() - told;
    for (std::size_t i = told; i < places.size(); ++i)
        longest.othersSeconds += places[i].bubble->time.spanNs() * 1e-9;
    return longest;
}

} // namespace pipescope::trace

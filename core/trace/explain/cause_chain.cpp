#include "trace/explain/cause_chain.h"

#include "trace/explain/before_compute.h"

#include <algorithm>

namespace pipescope::trace {

namespace {

// A trace may claim anything, and looking has to end while somebody waits; runs of some ten thousand microbatches are
// followed to their beginning.
constexpr std::size_t LongestChain = 1 << 16;

} // namespace

std::optional<SliceRef> awaitedBy(const Explanation &explained, const Lane &lane, const Bubble &bubble)
{
    if (!bubble.stage.valid())
        return std::nullopt;
    const auto after = std::lower_bound(lane.slices.begin(), lane.slices.end(), bubble.time.endNs,
                                        [](const Slice &slice, std::int64_t ns) { return slice.time.beginNs < ns; });
    const auto next = std::find_if(after, lane.slices.end(), isCompute);
    if (next != lane.slices.end())
        for (const SliceRef ref : explained.dependencies().causesOf(
                 explained, {lane.rank.value, static_cast<int>(next - lane.slices.begin())}))
            if (explained.at(ref).stage == bubble.stage && explained.at(ref).microbatch == bubble.microbatch)
                return ref;
    // It failed before it could begin, or its transfers were not written down.
    return explained.computeOf(bubble.stage, bubble.microbatch);
}

std::vector<SliceRef> chainOf(const Explanation &explained, const Lane &lane, const Bubble &bubble)
{
    std::vector<SliceRef> chain;
    std::optional<SliceRef> awaited = awaitedBy(explained, lane, bubble);
    // Only what began earlier can be a cause.
    while (awaited && chain.size() < LongestChain &&
           (chain.empty() || explained.at(*awaited).time.beginNs < explained.at(chain.back()).time.beginNs)) {
        chain.push_back(*awaited);
        const Bubble *before = longestKnown(bubblesBefore(explained, *awaited));
        if (!before)
            break;
        awaited = awaitedBy(explained, explained.lanes()[static_cast<std::size_t>(awaited->lane)], *before);
    }
    std::reverse(chain.begin(), chain.end());
    return chain;
}

ToldChain toldChain(const std::vector<SliceRef> &chain)
{
    constexpr std::size_t most = ToldChain::First + ToldChain::Last;
    if (chain.size() <= most)
        return {chain, 0};
    ToldChain told{{chain.begin(), chain.begin() + ToldChain::First}, chain.size() - most};
    told.links.insert(told.links.end(), chain.end() - ToldChain::Last, chain.end());
    return told;
}

} // namespace pipescope::trace

#include "timeline/cause_chain.h"

#include <algorithm>

namespace pipescope::timeline {

namespace {

using trace::EventKind;

// A trace may claim anything, and looking has to end while somebody waits; runs of some ten thousand microbatches are
// followed to their beginning.
constexpr std::size_t LongestChain = 1 << 16;

bool isCompute(const Slice &slice)
{
    return slice.kind == EventKind::Compute;
}

} // namespace

std::span<const Bubble> bubblesBefore(const LaneModel &model, SliceRef compute)
{
    const Lane &lane = model.lanes()[static_cast<std::size_t>(compute.lane)];
    const auto here = lane.slices.begin() + compute.slice;
    const auto before = std::find_if(std::make_reverse_iterator(here), lane.slices.rend(), isCompute);
    const std::int64_t since = before == lane.slices.rend() ? model.run().beginNs : before->time.endNs;
    const auto first = std::lower_bound(lane.bubbles.begin(), lane.bubbles.end(), since,
                                        [](const Bubble &one, std::int64_t ns) { return one.time.beginNs < ns; });
    const auto last =
        std::find_if(first, lane.bubbles.end(), [&](const Bubble &one) { return one.time.endNs > here->time.beginNs; });
    return {first, last};
}

const Bubble *longestKnown(std::span<const Bubble> bubbles)
{
    const Bubble *longest = nullptr;
    for (const Bubble &bubble : bubbles)
        if (bubble.stage.valid() && (longest == nullptr || bubble.time.spanNs() > longest->time.spanNs()))
            longest = &bubble;
    return longest;
}

std::optional<SliceRef> awaitedBy(const LaneModel &model, const Lane &lane, const Bubble &bubble)
{
    if (!bubble.stage.valid())
        return std::nullopt;
    const auto after = std::lower_bound(lane.slices.begin(), lane.slices.end(), bubble.time.endNs,
                                        [](const Slice &slice, std::int64_t ns) { return slice.time.beginNs < ns; });
    const auto next = std::find_if(after, lane.slices.end(), isCompute);
    if (next != lane.slices.end())
        for (const SliceRef ref :
             model.dependencies().causesOf(model, {lane.rank.value, static_cast<int>(next - lane.slices.begin())}))
            if (model.at(ref).stage == bubble.stage && model.at(ref).microbatch == bubble.microbatch)
                return ref;
    // It failed before it could begin, or its transfers were not written down.
    return model.computeOf(bubble.stage, bubble.microbatch);
}

std::vector<SliceRef> chainOf(const LaneModel &model, const Lane &lane, const Bubble &bubble)
{
    std::vector<SliceRef> chain;
    std::optional<SliceRef> awaited = awaitedBy(model, lane, bubble);
    // Only what began earlier can be a cause.
    while (awaited && chain.size() < LongestChain &&
           (chain.empty() || model.at(*awaited).time.beginNs < model.at(chain.back()).time.beginNs)) {
        chain.push_back(*awaited);
        const Bubble *before = longestKnown(bubblesBefore(model, *awaited));
        if (!before)
            break;
        awaited = awaitedBy(model, model.lanes()[static_cast<std::size_t>(awaited->lane)], *before);
    }
    std::reverse(chain.begin(), chain.end());
    return chain;
}

} // namespace pipescope::timeline

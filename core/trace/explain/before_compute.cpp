#include "trace/explain/before_compute.h"

#include "trace/median.h"

#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

namespace pipescope::trace {

std::span<const Bubble> bubblesBefore(const Explanation &explained, SliceRef compute)
{
    const Lane &lane = explained.lanes()[static_cast<std::size_t>(compute.lane)];
    const auto here = lane.slices.begin() + compute.slice;
    const auto before = std::find_if(std::make_reverse_iterator(here), lane.slices.rend(), isCompute);
    const std::int64_t since = before == lane.slices.rend() ? explained.run().beginNs : before->time.endNs;
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

double waitedNs(const Explanation &explained, SliceRef compute)
{
    double waited = 0;
    for (const Bubble &bubble : bubblesBefore(explained, compute))
        waited += bubble.time.spanNs();
    return waited;
}

const Bubble *waitNamed(const Explanation &explained, SliceRef compute)
{
    const std::span<const Bubble> bubbles = bubblesBefore(explained, compute);
    const Bubble *known = longestKnown(bubbles);
    // Every thread takes microseconds to start or wake: worth a word only where the action is not much longer.
    const double worthAWord = std::max(known ? known->time.spanNs() : 0, explained.at(compute).time.spanNs() / 100);
    for (const Bubble &late : bubbles)
        if (late.cause == BubbleCause::NotRunning && late.time.spanNs() > worthAWord)
            return &late;
    if (known)
        return known;
    const auto unnamed = std::find_if(bubbles.begin(), bubbles.end(), [](const Bubble &bubble) {
        return bubble.cause == BubbleCause::Credit || bubble.cause == BubbleCause::Device;
    });
    return unnamed == bubbles.end() ? nullptr : &*unnamed;
}

double bytesInto(const Explanation &explained, SliceRef compute)
{
    double received = 0;
    for (const std::uint32_t i : explained.index().before(explained.at(compute).event))
        if (const Event &event = explained.trace().events[i]; event.kind == EventKind::Receive)
            received += static_cast<double>(event.bytes);
    return received;
}

double medianNsLike(const Explanation &explained, SliceRef compute)
{
    const Slice &like = explained.at(compute);
    std::vector<double> lengths;
    for (const Lane &lane : explained.lanes())
        if (std::find(lane.stages.begin(), lane.stages.end(), like.stage) != lane.stages.end())
            for (const Slice &slice : lane.slices)
                if (slice.kind == like.kind && slice.stage == like.stage && slice.action == like.action)
                    lengths.push_back(slice.time.spanNs());
    return median(std::move(lengths));
}

} // namespace pipescope::trace

#include "trace/explain/explanation.h"

#include "trace/explain/bubbles.h"
#include "trace/late_starts.h"

#include <algorithm>
#include <limits>
#include <set>

namespace pipescope::trace {

namespace {

Pass passOf(schedule::ActionKind action)
{
    if (action == schedule::ActionKind::BackwardWeight)
        return Pass::WeightGradient;
    return action == schedule::ActionKind::Forward ? Pass::Forward : Pass::Backward;
}

Slice sliceOf(const Event &event, std::size_t index)
{
    Slice slice;
    slice.time = {event.beginNs, std::max(event.beginNs, event.endNs)};
    slice.kind = event.kind;
    slice.pass = event.kind == EventKind::Compute ? passOf(event.action) : Pass::Forward;
    slice.stage = event.stage;
    slice.microbatch = event.microbatch;
    slice.event = static_cast<std::uint32_t>(index);
    return slice;
}

std::vector<Lane> lanesOf(const Trace &trace)
{
    std::vector<Lane> lanes(static_cast<std::size_t>(std::max(0, trace.ranks)));
    for (std::size_t i = 0; i < lanes.size(); ++i) {
        lanes[i].rank = RankId{static_cast<int>(i)};
        lanes[i].slices.reserve(trace.events.size() / lanes.size());
    }
    for (std::size_t i = 0; i < trace.events.size(); ++i) {
        const Event &event = trace.events[i];
        if (event.rank.valid() && event.rank.index() < lanes.size())
            lanes[event.rank.index()].slices.push_back(sliceOf(event, i));
    }
    return lanes;
}

void summarise(Lane &lane)
{
    std::stable_sort(lane.slices.begin(), lane.slices.end(),
                     [](const Slice &a, const Slice &b) { return a.time.beginNs < b.time.beginNs; });
    std::int64_t latest = std::numeric_limits<std::int64_t>::min();
    lane.latest.reserve(lane.slices.size());
    std::set<StageId> stages;
    std::int64_t busyUntil = std::numeric_limits<std::int64_t>::min(); // what overlaps is counted once
    for (const Slice &slice : lane.slices) {
        latest = std::max(latest, slice.time.endNs);
        lane.latest.push_back(latest);
        if (slice.kind != EventKind::Compute)
            continue;
        ++lane.computes;
        if (slice.time.endNs > busyUntil) {
            lane.busyNs += TimeRange{std::max(slice.time.beginNs, busyUntil), slice.time.endNs}.spanNs();
            busyUntil = slice.time.endNs;
        }
        if (slice.stage.valid())
            stages.insert(slice.stage);
    }
    lane.stages.assign(stages.begin(), stages.end());
}

TimeRange wholeOf(const std::vector<Lane> &lanes)
{
    TimeRange whole{std::numeric_limits<std::int64_t>::max(), std::numeric_limits<std::int64_t>::min()};
    for (const Lane &lane : lanes)
        if (!lane.slices.empty()) {
            whole.beginNs = std::min(whole.beginNs, lane.slices.front().time.beginNs);
            whole.endNs = std::max(whole.endNs, lane.latest.back());
        }
    return whole.endNs < whole.beginNs ? TimeRange{} : whole;
}

} // namespace

Explanation::Explanation(const Trace &trace)
    : m_trace(&trace)
    , m_lanes(lanesOf(trace))
{
    for (Lane &lane : m_lanes)
        summarise(lane);
    m_run = wholeOf(m_lanes);
    m_dependencies = Dependencies(trace, m_lanes);
    const LateStarts late = lateStarts(trace);
    for (Lane &lane : m_lanes)
        lane.bubbles = bubblesOf(*this, lane, late.since);
    for (Lane &lane : m_lanes)
        lane.totals = LaneTotals(lane.slices, lane.bubbles, trace);
}

std::optional<SliceRef> Explanation::computeOf(StageId stage, MicrobatchId microbatch) const
{
    for (const SliceRef ref : m_dependencies.slicesOf(stage, microbatch))
        if (at(ref).kind == EventKind::Compute)
            return ref;
    return std::nullopt;
}

} // namespace pipescope::trace

#include "trace/explain/explanation.h"

#include "trace/explain/bubbles.h"
#include "trace/late_starts.h"

#include <algorithm>
#include <limits>
#include <set>

namespace pipescope::trace {

namespace {

Slice sliceOf(const Event &event, std::size_t index)
{
    Slice slice;
    slice.time = {event.beginNs, std::max(event.beginNs, event.endNs)};
    slice.kind = event.kind;
    slice.action = event.kind == EventKind::Compute ? event.action : schedule::ActionKind::Forward;
    slice.stage = event.stage;
    slice.microbatch = event.microbatch;
    slice.event = static_cast<std::uint32_t>(index);
    return slice;
}

/// `refs` gets the place of each event.
std::vector<Lane> lanesOf(const Trace &trace, const TraceIndex &index, std::vector<SliceRef> &refs)
{
    std::vector<Lane> lanes(static_cast<std::size_t>(std::max(0, trace.ranks)));
    refs.assign(trace.events.size(), {-1, -1});
    for (std::size_t i = 0; i < lanes.size(); ++i) {
        lanes[i].rank = RankId{static_cast<int>(i)};
        const TraceIndex::Events events = index.ofRank(lanes[i].rank);
        lanes[i].slices.reserve(events.size());
        for (const std::uint32_t event : events) {
            refs[event] = {lanes[i].rank.value, static_cast<int>(lanes[i].slices.size())};
            lanes[i].slices.push_back(sliceOf(trace.events[event], event));
        }
    }
    return lanes;
}

void summarise(Lane &lane)
{
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

/// What is left of a wait when all had come is none.
void cutWaits(std::vector<Lane> &lanes, const LateStarts &late)
{
    for (Lane &lane : lanes)
        for (Slice &slice : lane.slices)
            if (slice.kind == EventKind::Wait)
                slice.time.endNs = std::clamp(late.since[slice.event], slice.time.beginNs, slice.time.endNs);
}

/// Of slices that nothing was cut from.
TimeRange wholeOf(const std::vector<Lane> &lanes)
{
    TimeRange whole{std::numeric_limits<std::int64_t>::max(), std::numeric_limits<std::int64_t>::min()};
    for (const Lane &lane : lanes)
        for (const Slice &slice : lane.slices) {
            whole.beginNs = std::min(whole.beginNs, slice.time.beginNs);
            whole.endNs = std::max(whole.endNs, slice.time.endNs);
        }
    return whole.endNs < whole.beginNs ? TimeRange{} : whole;
}

} // namespace

Explanation::Explanation(const Trace &trace)
    : m_trace(&trace)
    , m_index(trace)
    , m_lanes(lanesOf(trace, m_index, m_refs))
{
    m_run = wholeOf(m_lanes);
    const LateStarts late = lateStarts(trace, m_index);
    cutWaits(m_lanes, late);
    for (Lane &lane : m_lanes)
        summarise(lane);
    m_dependencies = Dependencies(m_index);
    for (Lane &lane : m_lanes)
        lane.bubbles = bubblesOf(*this, lane, late.since);
    for (Lane &lane : m_lanes)
        lane.totals = LaneTotals(lane.slices, lane.bubbles, trace);
}

std::optional<SliceRef> Explanation::firstCompute(TraceIndex::Events events) const
{
    for (const std::uint32_t event : events)
        if (m_trace->events[event].kind == EventKind::Compute)
            return m_refs[event];
    return std::nullopt;
}

std::optional<SliceRef> Explanation::computeOf(const schedule::ActionKey &action) const
{
    return firstCompute(m_index.computesOf(action));
}

std::optional<SliceRef> Explanation::computeOf(StageId stage, MicrobatchId microbatch) const
{
    return firstCompute(m_index.of(stage, microbatch));
}

schedule::ActionKey Explanation::actionOf(SliceRef ref) const
{
    const std::uint32_t event = at(ref).event;
    return keyOf(m_trace->events[m_index.computeFor(event).value_or(event)]);
}

} // namespace pipescope::trace

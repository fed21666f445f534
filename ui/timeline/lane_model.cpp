#include "timeline/lane_model.h"

#include "base/error.h"
#include "timeline/bubbles.h"
#include "trace/late_starts.h"

#include <algorithm>
#include <limits>
#include <set>
#include <string_view>

namespace pipescope::timeline {

namespace {

// Only the letter after the stage is looked at: a million whole actions need not be read for their colour.
Pass passOf(std::string_view action)
{
    if (action.starts_with('('))
        return Pass::Backward; // OVERLAP_F_B
    const std::size_t letter = action.find_first_not_of("0123456789");
    if (letter == std::string_view::npos)
        return Pass::Forward;
    if (action[letter] == 'W')
        return Pass::WeightGradient;
    return action[letter] == 'B' || action[letter] == 'I' ? Pass::Backward : Pass::Forward;
}

Slice sliceOf(const trace::Event &event, std::size_t index)
{
    Slice slice;
    slice.time = {event.beginNs, std::max(event.beginNs, event.endNs)};
    slice.kind = event.kind;
    slice.pass = event.kind == trace::EventKind::Compute ? passOf(event.action) : Pass::Forward;
    slice.stage = event.stage;
    slice.microbatch = event.microbatch;
    slice.event = static_cast<std::uint32_t>(index);
    return slice;
}

std::vector<Lane> emptyLanes(const trace::Trace &trace)
{
    std::vector<Lane> lanes(static_cast<std::size_t>(std::max(0, trace.ranks)));
    for (std::size_t i = 0; i < lanes.size(); ++i) {
        lanes[i].rank = RankId{static_cast<int>(i)};
        lanes[i].name = i < trace.rankNames.size() ? trace.rankNames[i] : "rank " + std::to_string(i);
    }
    return lanes;
}

void summarise(Lane &lane, const trace::Trace &trace)
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
        if (slice.kind != trace::EventKind::Compute)
            continue;
        ++lane.computes;
        lane.lengths.add(slice.time.spanNs());
        lane.longestAction = std::max(lane.longestAction, trace.events[slice.event].action.size());
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

void addMemory(const trace::Trace &trace, std::vector<Lane> &lanes)
{
    std::vector<std::vector<MemoryCurve::Sample>> samples(lanes.size());
    for (const trace::MemorySample &sample : trace.memory)
        if (sample.rank.valid() && sample.rank.index() < lanes.size())
            samples[sample.rank.index()].push_back({sample.timeNs, sample.bytes});
    for (std::size_t i = 0; i < lanes.size(); ++i)
        lanes[i].memory = MemoryCurve(std::move(samples[i]));
}

} // namespace

LaneModel::LaneModel(std::shared_ptr<const trace::Trace> trace)
    : m_trace(std::move(trace))
{
    PIPESCOPE_ASSERT(m_trace != nullptr);
    m_lanes = emptyLanes(*m_trace);
    for (Lane &lane : m_lanes)
        lane.slices.reserve(m_trace->events.size() / m_lanes.size());
    for (std::size_t i = 0; i < m_trace->events.size(); ++i) {
        const trace::Event &event = m_trace->events[i];
        if (event.rank.valid() && event.rank.index() < m_lanes.size())
            m_lanes[event.rank.index()].slices.push_back(sliceOf(event, i));
    }
    for (Lane &lane : m_lanes)
        summarise(lane, *m_trace);
    m_run = wholeOf(m_lanes);
    m_dependencies = Dependencies(*m_trace, m_lanes);
    const trace::LateStarts late = trace::lateStarts(*m_trace);
    for (Lane &lane : m_lanes)
        lane.bubbles = bubblesOf(*this, lane, late.since);
    for (Lane &lane : m_lanes) {
        lane.work = SlicePyramid(lane.slices, Track::Work, late.since);
        lane.transfers = SlicePyramid(lane.slices, Track::Transfer);
        lane.totals = LaneTotals(lane.slices, lane.bubbles, *m_trace);
    }
    addMemory(*m_trace, m_lanes);
}

const Slice &LaneModel::at(SliceRef ref) const
{
    return m_lanes[static_cast<std::size_t>(ref.lane)].slices[static_cast<std::size_t>(ref.slice)];
}

std::optional<SliceRef> LaneModel::computeOf(StageId stage, MicrobatchId microbatch) const
{
    for (const SliceRef ref : m_dependencies.slicesOf(stage, microbatch))
        if (at(ref).kind == trace::EventKind::Compute)
            return ref;
    return std::nullopt;
}

} // namespace pipescope::timeline

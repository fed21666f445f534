#include "trace/trace_stats.h"

#include "trace/critical_path.h"
#include "trace/explain/explanation.h"
#include "trace/imbalance.h"
#include "trace/median.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <numeric>
#include <optional>
#include <set>

namespace pipescope::trace {

namespace {

// Sums are doubles: exact for all real times and sizes, and without overflow for the others.
constexpr double LargestSum = 0x1p62;

double secondsOf(TimeRange time)
{
    return secondsBetween(time.beginNs, time.endNs);
}

/// First begin to last end of all but waits.
double activeSeconds(const Lane &lane)
{
    std::optional<TimeRange> active;
    for (const Slice &slice : lane.slices) {
        if (slice.kind == EventKind::Wait)
            continue;
        if (!active)
            active = slice.time;
        active->endNs = std::max(active->endNs, slice.time.endNs);
    }
    return active ? secondsOf(*active) : 0;
}

/// The part of a rank's waiting that bubbles of the cause are.
double &partOf(BubbleCause cause, RankStats &rank)
{
    switch (cause) {
    case BubbleCause::WarmUp:
        return rank.warmUpSeconds;
    case BubbleCause::CoolDown:
        return rank.coolDownSeconds;
    case BubbleCause::Input:
        return rank.waitInputSeconds;
    case BubbleCause::Credit:
        return rank.waitCreditSeconds;
    case BubbleCause::Device:
        return rank.waitDeviceSeconds;
    case BubbleCause::NotRunning:
        return rank.notRunningSeconds;
    case BubbleCause::Runtime:
        break;
    }
    return rank.betweenActionsSeconds;
}

void addLane(const Lane &lane, RankStats &rank)
{
    rank.spanSeconds = activeSeconds(lane);
    for (const Slice &slice : lane.slices) {
        if (slice.kind == EventKind::Compute)
            rank.busySeconds += secondsOf(slice.time);
        if (slice.kind == EventKind::Send)
            rank.sendSeconds += secondsOf(slice.time);
        if (slice.kind == EventKind::Receive)
            rank.receiveSeconds += secondsOf(slice.time);
    }
    for (const Bubble &bubble : lane.bubbles) {
        partOf(bubble.cause, rank) += secondsOf(bubble.time);
        rank.waitSeconds += secondsOf(bubble.time);
    }
}

std::int64_t sentBytesOf(const Explanation &explained)
{
    double sent = 0;
    for (const Lane &lane : explained.lanes())
        for (const Slice &slice : lane.slices)
            if (slice.kind == EventKind::Send)
                sent += static_cast<double>(explained.eventOf(slice).bytes);
    return static_cast<std::int64_t>(std::min(sent, LargestSum));
}

void addMemory(const Trace &trace, Stats &stats)
{
    for (const MemorySample &sample : trace.memory)
        if (hasRank(trace, sample.rank)) {
            RankStats &rank = stats.ranks[sample.rank.index()];
            rank.peakBytes = std::max(rank.peakBytes, sample.bytes);
        }
}

/// What each run of each kind took.
class Durations
{
public:
    void add(const Event &compute) { m_seconds[compute.action].push_back(secondsOf(compute)); }

    std::vector<KindStats> statistics() &&
    {
        std::vector<KindStats> kinds;
        for (const schedule::ActionKind kind : ComputeKinds)
            if (std::vector<double> &runs = m_seconds[kind]; !runs.empty()) {
                const double sum = std::accumulate(runs.begin(), runs.end(), 0.0);
                const int count = static_cast<int>(runs.size());
                kinds.push_back({kind, sum, median(std::move(runs)), count});
            }
        return kinds;
    }

private:
    std::map<schedule::ActionKind, std::vector<double>> m_seconds;
};

void addKinds(const Trace &trace, Stats &stats)
{
    std::vector<Durations> ranks(stats.ranks.size());
    std::vector<Durations> stages(stats.stages.size());
    for (const Event &event : trace.events) {
        if (event.kind != EventKind::Compute || !hasRank(trace, event.rank))
            continue;
        ranks[event.rank.index()].add(event);
        if (event.stage.valid() && event.stage.index() < stages.size())
            stages[event.stage.index()].add(event);
    }
    for (std::size_t i = 0; i < ranks.size(); ++i)
        stats.ranks[i].kinds = std::move(ranks[i]).statistics();
    for (std::size_t i = 0; i < stages.size(); ++i) {
        StageStats &stage = stats.stages[i];
        stage.kinds = std::move(stages[i]).statistics();
        for (const KindStats &kind : stage.kinds) {
            stage.seconds += kind.seconds;
            stage.runs += kind.runs;
        }
    }
}

// Also of a trace that says more was done than there was time for.
double shareLeft(double busy, double available)
{
    return std::clamp(1 - busy / available, 0.0, 1.0);
}

void addShares(Stats &stats)
{
    double busy = 0;
    double longestSpan = 0;
    std::vector<double> byRank;
    for (const RankStats &rank : stats.ranks) {
        busy += rank.busySeconds;
        longestSpan = std::max(longestSpan, rank.spanSeconds);
        byRank.push_back(rank.busySeconds);
    }
    const auto ranks = static_cast<double>(stats.ranks.size());
    if (stats.makespanSeconds > 0)
        stats.bubbleShare = shareLeft(busy, ranks * stats.makespanSeconds);
    if (longestSpan > 0)
        stats.bubbleShareOfSpan = shareLeft(busy, ranks * longestSpan);
    stats.imbalance = imbalance(byRank);
}

KindStats statsOfKind(const std::vector<KindStats> &kinds, schedule::ActionKind kind)
{
    const auto found =
        std::find_if(kinds.begin(), kinds.end(), [kind](const KindStats &one) { return one.kind == kind; });
    return found == kinds.end() ? KindStats() : *found;
}

} // namespace

bool hasSeveralKinds(const Stats &stats)
{
    std::set<schedule::ActionKind> kinds;
    for (const RankStats &rank : stats.ranks)
        for (const KindStats &one : rank.kinds)
            kinds.insert(one.kind);
    return kinds.size() > 1;
}

double seconds(const std::vector<KindStats> &kinds, schedule::ActionKind kind)
{
    return statsOfKind(kinds, kind).seconds;
}

double medianSeconds(const std::vector<KindStats> &kinds, schedule::ActionKind kind)
{
    return statsOfKind(kinds, kind).medianSeconds;
}

double makespanSeconds(const Trace &trace)
{
    std::optional<TimeRange> whole;
    for (const Event &event : trace.events) {
        if (!hasRank(trace, event.rank))
            continue;
        if (!whole)
            whole = {event.beginNs, event.beginNs};
        whole->beginNs = std::min(whole->beginNs, event.beginNs);
        whole->endNs = std::max({whole->endNs, event.beginNs, event.endNs});
    }
    return whole ? secondsOf(*whole) : 0;
}

Stats traceStats(const Explanation &explained)
{
    const Trace &trace = explained.trace();
    Stats stats;
    stats.ranks.resize(explained.lanes().size());
    stats.stages.resize(static_cast<std::size_t>(std::max(0, trace.stages)));
    stats.makespanSeconds = makespanSeconds(trace);
    for (std::size_t rank = 0; rank < stats.ranks.size(); ++rank)
        addLane(explained.lanes()[rank], stats.ranks[rank]);
    stats.sentBytes = sentBytesOf(explained);
    addMemory(trace, stats);
    addKinds(trace, stats);
    addShares(stats);
    stats.boundSeconds = criticalPathSeconds(trace, explained.index().feeds());
    return stats;
}

Stats traceStats(const Trace &trace)
{
    return traceStats(Explanation(trace));
}

} // namespace pipescope::trace

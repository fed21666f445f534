#include "trace/trace_stats.h"

#include "trace/critical_path.h"
#include "trace/imbalance.h"
#include "trace/late_starts.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <numeric>
#include <set>

namespace pipescope::trace {

namespace {

// Sums are doubles: exact for all real times and sizes, and without overflow for the others.
constexpr double LargestSum = 0x1p62;

struct Span
{
    std::int64_t beginNs = std::numeric_limits<std::int64_t>::max();
    std::int64_t endNs = std::numeric_limits<std::int64_t>::min();

    [[nodiscard]] bool isEmpty() const { return endNs < beginNs; }
    [[nodiscard]] double seconds() const { return isEmpty() ? 0 : secondsBetween(beginNs, endNs); }
    void cover(const Event &event)
    {
        beginNs = std::min(beginNs, event.beginNs);
        endNs = std::max(endNs, event.endNs);
    }
};

struct Spans
{
    Span whole;                // all events
    std::vector<Span> active;  // by rank, all but waits
    std::vector<Span> compute; // by rank
};

bool belongs(const Event &event, const Stats &stats)
{
    return event.rank.valid() && event.rank.index() < stats.ranks.size();
}

Spans spansOf(const Trace &trace, const Stats &stats)
{
    Spans spans{{}, std::vector<Span>(stats.ranks.size()), std::vector<Span>(stats.ranks.size())};
    for (const Event &event : trace.events) {
        if (!belongs(event, stats))
            continue;
        spans.whole.cover(event);
        if (event.kind != EventKind::Wait)
            spans.active[event.rank.index()].cover(event);
        if (event.kind == EventKind::Compute)
            spans.compute[event.rank.index()].cover(event);
    }
    return spans;
}

/// `late`: since when it could have ended.
void addWait(const Event &event, const Span &compute, std::int64_t late, RankStats &rank)
{
    const std::int64_t begin = std::max(event.beginNs, compute.beginNs);
    const std::int64_t end = std::min({event.endNs, compute.endNs, late});
    if (end <= begin)
        return;
    if (event.cause == WaitCause::Input)
        rank.waitInputSeconds += secondsBetween(begin, end);
    if (event.cause == WaitCause::Credit)
        rank.waitCreditSeconds += secondsBetween(begin, end);
    if (event.cause == WaitCause::Device)
        rank.waitDeviceSeconds += secondsBetween(begin, end);
}

/// What a rank sends or receives before its first compute or after its last one is neither fill nor drain.
void takeTransfer(const Event &event, const Span &compute, RankStats &rank)
{
    if (compute.isEmpty() || event.endNs <= compute.beginNs)
        rank.warmUpSeconds = std::max(0.0, rank.warmUpSeconds - secondsOf(event));
    else if (event.beginNs >= compute.endNs)
        rank.coolDownSeconds = std::max(0.0, rank.coolDownSeconds - secondsOf(event));
}

void addEvents(const Trace &trace, const Spans &spans, const LateStarts &late, Stats &stats)
{
    double sent = 0;
    for (std::size_t i = 0; i < trace.events.size(); ++i) {
        const Event &event = trace.events[i];
        if (!belongs(event, stats))
            continue;
        RankStats &rank = stats.ranks[event.rank.index()];
        const Span &compute = spans.compute[event.rank.index()];
        if (event.kind == EventKind::Send || event.kind == EventKind::Receive)
            takeTransfer(event, compute, rank);
        switch (event.kind) {
        case EventKind::Compute:
            rank.busySeconds += secondsOf(event);
            break;
        case EventKind::Send:
            rank.sendSeconds += secondsOf(event);
            sent += static_cast<double>(event.bytes);
            break;
        case EventKind::Receive:
            rank.receiveSeconds += secondsOf(event);
            break;
        case EventKind::Wait:
            addWait(event, compute, late.since[i], rank);
            break;
        }
    }
    stats.sentBytes = static_cast<std::int64_t>(std::min(sent, LargestSum));
}

void addMemory(const Trace &trace, Stats &stats)
{
    for (const MemorySample &sample : trace.memory)
        if (sample.rank.valid() && sample.rank.index() < stats.ranks.size()) {
            RankStats &rank = stats.ranks[sample.rank.index()];
            rank.peakBytes = std::max(rank.peakBytes, sample.bytes);
        }
}

void addRankSpans(const Spans &spans, Stats &stats)
{
    for (std::size_t r = 0; r < stats.ranks.size(); ++r) {
        RankStats &rank = stats.ranks[r];
        const Span &compute = spans.compute[r];
        rank.spanSeconds = spans.active[r].seconds();
        rank.warmUpSeconds =
            compute.isEmpty() ? stats.makespanSeconds : secondsBetween(spans.whole.beginNs, compute.beginNs);
        rank.coolDownSeconds = compute.isEmpty() ? 0 : secondsBetween(compute.endNs, spans.whole.endNs);
    }
}

void addIdle(Stats &stats)
{
    for (RankStats &rank : stats.ranks) {
        const double active = rank.busySeconds + rank.sendSeconds + rank.receiveSeconds;
        rank.waitSeconds = std::max(0.0, stats.makespanSeconds - active);
        const double told = rank.warmUpSeconds + rank.coolDownSeconds + rank.waitInputSeconds + rank.waitCreditSeconds +
                            rank.waitDeviceSeconds + rank.notRunningSeconds;
        const double rest = rank.waitSeconds - told;
        rank.betweenActionsSeconds = rest < 0.5e-9 ? 0 : rest; // less than the clock tells is what adding up leaves
    }
}

void addLateTimes(const LateStarts &late, const Spans &spans, Stats &stats)
{
    for (const LateTime &time : late.times) {
        RankStats &rank = stats.ranks[time.rank.index()];
        const double seconds = secondsBetween(time.beginNs, time.endNs);
        rank.notRunningSeconds += seconds;
        if (time.endNs <= spans.compute[time.rank.index()].beginNs)
            rank.warmUpSeconds = std::max(0.0, rank.warmUpSeconds - seconds);
    }
}

double median(std::vector<double> values)
{
    if (values.empty())
        return 0;
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    if (values.size() % 2 == 1)
        return *middle;
    return (*middle + *std::max_element(values.begin(), middle)) / 2;
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
        if (event.kind != EventKind::Compute)
            continue;
        if (belongs(event, stats))
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

Stats traceStats(const Trace &trace)
{
    Stats stats;
    stats.ranks.resize(static_cast<std::size_t>(std::max(0, trace.ranks)));
    stats.stages.resize(static_cast<std::size_t>(std::max(0, trace.stages)));
    const Spans spans = spansOf(trace, stats);
    stats.makespanSeconds = spans.whole.seconds();
    if (!spans.whole.isEmpty()) {
        const LateStarts late = lateStarts(trace);
        addRankSpans(spans, stats);
        addEvents(trace, spans, late, stats);
        addLateTimes(late, spans, stats);
        addIdle(stats);
    }
    addMemory(trace, stats);
    addKinds(trace, stats);
    addShares(stats);
    stats.boundSeconds = criticalPathSeconds(trace);
    return stats;
}

} // namespace pipescope::trace

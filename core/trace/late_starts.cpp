#include "trace/late_starts.h"

#include "schedule/needs.h"
#include "trace/trace_feeds.h"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <optional>
#include <unordered_map>

namespace pipescope::trace {

namespace {

constexpr std::int64_t Always = std::numeric_limits<std::int64_t>::min(); // nothing is needed
// A stage sends a handful of values a microbatch. Of a trace that claims a million, only the last are looked at.
constexpr std::ptrdiff_t LastSends = 64;

bool belongs(const Event &event, const Trace &trace)
{
    return event.rank.valid() && event.rank.value < trace.ranks;
}

std::uint64_t latestKey(StageId stage, MicrobatchId microbatch)
{
    return (std::uint64_t{static_cast<std::uint32_t>(stage.value)} << 32) |
           static_cast<std::uint32_t>(microbatch.value);
}

/// When what a compute needs was there, told event by event in the order of their begins.
class Arrivals
{
public:
    explicit Arrivals(const Trace &trace)
        : m_feeds(feedsOf(trace))
        , m_hasTransfers(hasTransfers(trace))
    {
    }

    void add(const Event &event)
    {
        Place &place = m_places[latestKey(event.stage, event.microbatch)];
        switch (event.kind) {
        case EventKind::Compute:
            m_computedNs[schedule::resultOf(keyOf(event))] = event.endNs;
            place.computedNs = event.endNs;
            place.doneNs = std::max(place.doneNs, event.endNs);
            place.needs.clear();
            break;
        case EventKind::Send:
            place.sends.push_back(&event);
            place.doneNs = std::max(place.doneNs, event.endNs);
            break;
        case EventKind::Receive:
        case EventKind::Wait:
            place.needs.push_back(&event);
            break;
        }
    }

    /// Always where it needs nothing, Never where the trace does not tell.
    [[nodiscard]] std::int64_t readyNs(const Event &compute) const
    {
        std::int64_t ready = Always;
        if (const Place *place = find(compute.stage, compute.microbatch))
            for (const Event *need : place->needs)
                ready = std::max(ready, metNs(*need).value_or(LateStarts::Never));
        if (m_hasTransfers)
            return ready;
        for (const schedule::ActionKey &need : schedule::needs(keyOf(compute), m_feeds)) {
            if (need.stage == compute.stage)
                continue; // the rank did it before
            const auto found = m_computedNs.find(need);
            ready = std::max(ready, found == m_computedNs.end() ? LateStarts::Never : found->second);
        }
        return ready;
    }

private:
    /// What a stage did with a microbatch so far.
    struct Place
    {
        std::optional<std::int64_t> computedNs;
        std::int64_t doneNs = Always; ///< computing and sending
        std::vector<const Event *> sends;
        std::vector<const Event *> needs; ///< since its last compute
    };

    [[nodiscard]] const Place *find(StageId stage, MicrobatchId microbatch) const
    {
        const auto found = m_places.find(latestKey(stage, microbatch));
        return found == m_places.end() ? nullptr : &found->second;
    }

    [[nodiscard]] std::optional<std::int64_t> metNs(const Event &need) const
    {
        if (!need.peer.valid())
            return std::nullopt;
        if (need.kind == EventKind::Receive || need.cause == WaitCause::Input)
            return sentNs(need);
        if (need.cause != WaitCause::Credit || !need.peerMicrobatch.valid())
            return std::nullopt;
        const Place *giver = find(need.peer, need.peerMicrobatch);
        return giver != nullptr && giver->computedNs ? std::optional(giver->doneNs) : std::nullopt;
    }

    [[nodiscard]] std::optional<std::int64_t> sentNs(const Event &need) const
    {
        const Place *maker = find(need.peer, need.microbatch);
        if (maker == nullptr)
            return std::nullopt;
        const auto last = maker->sends.rbegin();
        const auto end = last + std::min(LastSends, maker->sends.rend() - last);
        const auto sent = std::find_if(last, end, [&](const Event *send) {
            return send->peer == need.stage && (need.value.empty() || send->value == need.value);
        });
        if (sent != end)
            return (*sent)->endNs;
        return m_hasTransfers ? std::nullopt : maker->computedNs;
    }

    schedule::Feeds m_feeds;
    bool m_hasTransfers;
    std::unordered_map<schedule::ActionKey, std::int64_t> m_computedNs; ///< by result: the last so far
    std::unordered_map<std::uint64_t, Place> m_places;
};

/// A rank since its last compute.
struct RankSoFar
{
    std::int64_t idleSinceNs = 0;
    std::int64_t workedUntilNs = Always; ///< computing and sending
    std::vector<std::size_t> waits;
    std::vector<LateTime> idle;
};

std::vector<std::size_t> inOrder(const Trace &trace)
{
    std::vector<std::size_t> order(trace.events.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::erase_if(order, [&](std::size_t i) { return !belongs(trace.events[i], trace); });
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return trace.events[a].beginNs < trace.events[b].beginNs; });
    return order;
}

void noteIdle(const Event &event, RankSoFar &rank)
{
    if (event.beginNs > rank.idleSinceNs)
        rank.idle.push_back({event.rank, rank.idleSinceNs, event.beginNs});
    rank.idleSinceNs = std::max(rank.idleSinceNs, event.endNs);
}

void beginCompute(std::int64_t since, RankSoFar &rank, LateStarts &starts)
{
    for (const std::size_t wait : rank.waits)
        starts.since[wait] = since;
    for (const LateTime &idle : rank.idle)
        if (idle.endNs > since)
            starts.times.push_back({idle.rank, std::max(idle.beginNs, since), idle.endNs});
    rank.waits.clear();
    rank.idle.clear();
}

} // namespace

LateStarts lateStarts(const Trace &trace)
{
    LateStarts starts;
    starts.since.resize(trace.events.size(), LateStarts::Never);
    const std::vector<std::size_t> order = inOrder(trace);
    if (order.empty())
        return starts;
    Arrivals arrivals(trace);
    std::vector<RankSoFar> ranks(static_cast<std::size_t>(trace.ranks));
    for (RankSoFar &rank : ranks)
        rank.idleSinceNs = trace.events[order.front()].beginNs;
    for (const std::size_t i : order) {
        const Event &event = trace.events[i];
        RankSoFar &rank = ranks[event.rank.index()];
        if (event.kind == EventKind::Wait)
            rank.waits.push_back(i);
        else
            noteIdle(event, rank);
        if (event.kind == EventKind::Compute) {
            // What was there when the rank was done before is no late start: that is the time between two actions.
            const std::int64_t ready = arrivals.readyNs(event);
            starts.since[i] = ready > rank.workedUntilNs || rank.workedUntilNs == Always ? ready : LateStarts::Never;
            beginCompute(starts.since[i], rank, starts);
        }
        if (event.kind == EventKind::Compute || event.kind == EventKind::Send)
            rank.workedUntilNs = std::max(rank.workedUntilNs, event.endNs);
        arrivals.add(event);
    }
    return starts;
}

} // namespace pipescope::trace

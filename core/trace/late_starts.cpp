#include "trace/late_starts.h"

#include "schedule/needs.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <vector>

namespace pipescope::trace {

namespace {

constexpr std::int64_t Always = std::numeric_limits<std::int64_t>::min(); // nothing is needed
// A stage does a handful of things with a microbatch. Of a trace that claims a million, only the last are looked at.
constexpr std::ptrdiff_t LastEvents = 128;

/// When what one compute needs was there, as far as the trace had told at its begin.
class Arrival
{
public:
    Arrival(const Trace &trace, const TraceIndex &index, std::uint32_t compute)
        : m_trace(trace)
        , m_index(index)
        , m_compute(compute)
    {
    }

    /// Always where it needs nothing, Never where the trace does not tell.
    [[nodiscard]] std::int64_t readyNs() const
    {
        std::int64_t ready = Always;
        for (const std::uint32_t before : m_index.before(m_compute))
            if (isNeed(at(before)))
                ready = std::max(ready, metNs(before).value_or(LateStarts::Never));
        if (m_index.hasTransfers())
            return ready;
        const schedule::ActionKey action = keyOf(at(m_compute));
        for (const schedule::ActionKey &need : schedule::needs(action, m_index.feeds())) {
            if (need.stage == action.stage)
                continue; // the rank did it before
            const std::optional<std::int64_t> gave = lastEnd(need.stage, need.microbatch, [&](const Event &event) {
                return event.kind == EventKind::Compute && schedule::resultOf(keyOf(event)) == need;
            });
            ready = std::max(ready, gave.value_or(LateStarts::Never));
        }
        return ready;
    }

private:
    [[nodiscard]] const Event &at(std::uint32_t event) const { return m_trace.events[event]; }

    static bool isNeed(const Event &event) { return event.kind == EventKind::Receive || event.kind == EventKind::Wait; }
    static bool isCompute(const Event &event) { return event.kind == EventKind::Compute; }

    /// Of `all`, by begin, the last of those before the compute.
    [[nodiscard]] TraceIndex::Events earlier(TraceIndex::Events all) const
    {
        const std::uint32_t now = m_index.placeInTime(m_compute);
        const auto end = std::partition_point(all.begin(), all.end(),
                                              [&](std::uint32_t event) { return m_index.placeInTime(event) < now; });
        const std::ptrdiff_t count = std::min(LastEvents, end - all.begin());
        return all.subspan(static_cast<std::size_t>(end - all.begin() - count), static_cast<std::size_t>(count));
    }

    /// When the last of them that the condition takes ended.
    template <class Condition>
    [[nodiscard]] std::optional<std::int64_t> lastEnd(TraceIndex::Events all, const Condition &isWanted) const
    {
        const TraceIndex::Events events = earlier(all);
        const auto last =
            std::find_if(events.rbegin(), events.rend(), [&](std::uint32_t event) { return isWanted(at(event)); });
        return last == events.rend() ? std::nullopt : std::optional(at(*last).endNs);
    }

    /// Of all that a stage did with a microbatch.
    template <class Condition>
    [[nodiscard]] std::optional<std::int64_t> lastEnd(StageId stage, MicrobatchId microbatch,
                                                      const Condition &isWanted) const
    {
        return lastEnd(m_index.of(stage, microbatch), isWanted);
    }

    [[nodiscard]] std::optional<std::int64_t> metNs(std::uint32_t waitOrReceive) const
    {
        const Event &need = at(waitOrReceive);
        if (need.kind == EventKind::Receive || need.cause == WaitCause::Input)
            return need.peer.valid() ? sentNs(need) : std::nullopt;
        const std::optional<std::uint32_t> giver = m_index.giverOf(waitOrReceive);
        return giver ? std::optional(at(*giver).endNs) : std::nullopt;
    }

    [[nodiscard]] std::optional<std::int64_t> sentNs(const Event &need) const
    {
        const auto isSend = [&](const Event &event) {
            return event.kind == EventKind::Send && event.peer == need.stage;
        };
        const std::optional<std::int64_t> sent =
            need.value.empty() ? lastEnd(need.peer, need.microbatch, isSend)
                               : lastEnd(m_index.sendsOf({need.value, need.microbatch, need.peer, need.stage}), isSend);
        if (sent || m_index.hasTransfers())
            return sent;
        return lastEnd(need.peer, need.microbatch, isCompute);
    }

    const Trace &m_trace;
    const TraceIndex &m_index;
    std::uint32_t m_compute;
};

/// A rank since its last compute.
struct RankSoFar
{
    std::int64_t workedUntilNs = Always; ///< computing and sending
    std::vector<std::uint32_t> waits;
};

} // namespace

LateStarts lateStarts(const Trace &trace, const TraceIndex &index)
{
    LateStarts starts;
    starts.since.resize(trace.events.size(), LateStarts::Never);
    std::vector<RankSoFar> ranks(static_cast<std::size_t>(std::max(0, trace.ranks)));
    for (const std::uint32_t i : index.byTime()) {
        const Event &event = trace.events[i];
        if (!hasRank(trace, event.rank))
            continue;
        RankSoFar &rank = ranks[event.rank.index()];
        if (event.kind == EventKind::Wait)
            rank.waits.push_back(i);
        if (event.kind == EventKind::Compute) {
            // What was there when the rank was done before is no late start: that is the time between two actions.
            const std::int64_t ready = Arrival(trace, index, i).readyNs();
            starts.since[i] = ready > rank.workedUntilNs || rank.workedUntilNs == Always ? ready : LateStarts::Never;
            for (const std::uint32_t wait : rank.waits)
                starts.since[wait] = starts.since[i];
            rank.waits.clear();
        }
        if (event.kind == EventKind::Compute || event.kind == EventKind::Send)
            rank.workedUntilNs = std::max(rank.workedUntilNs, event.endNs);
    }
    return starts;
}

} // namespace pipescope::trace

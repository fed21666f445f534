#include "trace/trace_index.h"

#include "trace/trace_feeds.h"

#include <iterator>
#include <numeric>

namespace pipescope::trace {

TraceIndex::TraceIndex(const Trace &trace)
    : m_trace(&trace)
    , m_feeds(feedsOf(trace))
    , m_hasTransfers(pipescope::trace::hasTransfers(trace))
    , m_byTime(trace.events.size())
    , m_places(trace.events.size())
{
    sortByTime();
    sortByRank();
    group();
    assignComputes();
}

void TraceIndex::sortByTime()
{
    const std::vector<Event> &events = m_trace->events;
    std::iota(m_byTime.begin(), m_byTime.end(), 0U);
    const auto isEarlier = [&](const Event &a, const Event &b) { return a.beginNs < b.beginNs; };
    if (!std::is_sorted(events.begin(), events.end(), isEarlier))
        std::stable_sort(m_byTime.begin(), m_byTime.end(),
                         [&](std::uint32_t a, std::uint32_t b) { return isEarlier(events[a], events[b]); });
    for (std::uint32_t place = 0; place < m_byTime.size(); ++place)
        m_places[m_byTime[place]].inTime = place;
}

void TraceIndex::sortByRank()
{
    const auto ranks = static_cast<std::size_t>(std::max(0, m_trace->ranks));
    m_rankBegins.assign(ranks + 1, 0);
    for (const Event &event : m_trace->events)
        if (hasRank(*m_trace, event.rank))
            ++m_rankBegins[event.rank.index() + 1];
    std::partial_sum(m_rankBegins.begin(), m_rankBegins.end(), m_rankBegins.begin());
    m_byRank.resize(m_rankBegins.back());
    std::vector<std::uint32_t> next = m_rankBegins;
    for (const std::uint32_t event : m_byTime)
        if (const RankId rank = m_trace->events[event].rank; hasRank(*m_trace, rank))
            m_byRank[next[rank.index()]++] = event;
}

void TraceIndex::group()
{
    std::vector<Groups<PlaceKey>::Entry> all;
    std::vector<Groups<schedule::ActionKey>::Entry> computes;
    std::vector<Groups<MessageKey>::Entry> sends;
    std::vector<Groups<MessageKey>::Entry> receives;
    std::vector<Groups<schedule::ActionKey>::Entry> credits;
    all.reserve(m_byTime.size());
    for (std::uint32_t place = 0; place < m_byTime.size(); ++place) {
        const Event &event = m_trace->events[m_byTime[place]];
        if (!hasRank(*m_trace, event.rank))
            continue;
        all.push_back({{event.stage, event.microbatch}, place});
        if (event.kind == EventKind::Compute)
            computes.emplace_back(keyOf(event), place);
        if (isCreditWait(event))
            credits.emplace_back(giverKeyOf(event), place);
        if (event.kind != EventKind::Send && event.kind != EventKind::Receive)
            continue;
        const auto name = static_cast<std::uint32_t>(m_values.size());
        const std::uint32_t value = m_values.try_emplace(event.value, name).first->second;
        if (event.kind == EventKind::Send)
            sends.push_back({{value, event.microbatch, event.stage, event.peer}, place});
        else
            receives.push_back({{value, event.microbatch, event.peer, event.stage}, place});
    }
    m_groups = Groups<PlaceKey>(std::move(all), m_byTime);
    m_computes = Groups<schedule::ActionKey>(std::move(computes), m_byTime);
    m_sends = Groups<MessageKey>(std::move(sends), m_byTime);
    m_receives = Groups<MessageKey>(std::move(receives), m_byTime);
    m_credits = Groups<schedule::ActionKey>(std::move(credits), m_byTime);
}

/// Forward for what is sent, and back for what is waited for and received.
void TraceIndex::assignComputes()
{
    const Events all = m_groups.all();
    std::uint32_t compute = NoEvent;
    for (std::uint32_t i = 0; i < all.size(); ++i) {
        const Event &event = m_trace->events[all[i]];
        m_places[all[i]].inGroup = i;
        if (i > 0 && !isSamePlace(all[i], all[i - 1]))
            compute = NoEvent;
        if (event.kind == EventKind::Compute)
            compute = all[i];
        if (event.kind == EventKind::Compute || event.kind == EventKind::Send)
            m_places[all[i]].compute = compute;
    }
    for (std::size_t i = all.size(); i-- > 0;) {
        const Event &event = m_trace->events[all[i]];
        if (i + 1 == all.size() || !isSamePlace(all[i], all[i + 1]))
            compute = NoEvent;
        if (event.kind == EventKind::Compute)
            compute = all[i];
        if (event.kind == EventKind::Wait || event.kind == EventKind::Receive)
            m_places[all[i]].compute = compute;
    }
}

bool TraceIndex::isSamePlace(std::uint32_t event, std::uint32_t other) const
{
    const Event &one = m_trace->events[event];
    const Event &two = m_trace->events[other];
    return one.stage == two.stage && one.microbatch == two.microbatch;
}

bool TraceIndex::endsWalk(std::uint32_t event, std::uint32_t from) const
{
    return !isSamePlace(event, from) || m_trace->events[event].kind == EventKind::Compute;
}

TraceIndex::Events TraceIndex::ofRank(RankId rank) const
{
    if (!rank.valid() || rank.index() + 1 >= m_rankBegins.size())
        return {};
    const std::uint32_t begin = m_rankBegins[rank.index()];
    return Events(m_byRank).subspan(begin, m_rankBegins[rank.index() + 1] - begin);
}

TraceIndex::Events TraceIndex::of(StageId stage, MicrobatchId microbatch) const
{
    return m_groups.of({stage, microbatch});
}

TraceIndex::Events TraceIndex::before(std::uint32_t compute) const
{
    if (m_places[compute].inGroup == NoEvent)
        return {};
    const Events all = m_groups.all();
    const std::size_t end = m_places[compute].inGroup;
    std::size_t begin = end;
    while (begin > 0 && !endsWalk(all[begin - 1], compute))
        --begin;
    return all.subspan(begin, end - begin);
}

TraceIndex::Events TraceIndex::after(std::uint32_t compute) const
{
    if (m_places[compute].inGroup == NoEvent)
        return {};
    const Events all = m_groups.all();
    const std::size_t begin = std::size_t{m_places[compute].inGroup} + 1;
    std::size_t end = begin;
    while (end < all.size() && !endsWalk(all[end], compute))
        ++end;
    return all.subspan(begin, end - begin);
}

std::optional<std::uint32_t> TraceIndex::computeFor(std::uint32_t event) const
{
    const std::uint32_t compute = m_places[event].compute;
    return compute == NoEvent ? std::nullopt : std::optional(compute);
}

std::optional<std::uint32_t> TraceIndex::computeOf(const schedule::ActionKey &action) const
{
    const Events computes = computesOf(action);
    return computes.empty() ? std::nullopt : std::optional(computes.front());
}

TraceIndex::Events TraceIndex::sendsOf(const Message &message) const
{
    return eventsOf(message, m_sends);
}

TraceIndex::Events TraceIndex::receivesOf(const Message &message) const
{
    return eventsOf(message, m_receives);
}

TraceIndex::Events TraceIndex::eventsOf(const Message &message, const Groups<MessageKey> &messages) const
{
    const auto value = m_values.find(message.value);
    return value == m_values.end() ? Events()
                                   : messages.of({value->second, message.microbatch, message.from, message.to});
}

std::optional<std::uint32_t> TraceIndex::giverOf(std::uint32_t wait) const
{
    const Event &waited = m_trace->events[wait];
    if (!isCreditWait(waited))
        return std::nullopt;
    const Events runs = computesOf(giverKeyOf(waited));
    const auto later = std::partition_point(
        runs.begin(), runs.end(), [&](std::uint32_t run) { return m_trace->events[run].beginNs <= waited.endNs; });
    const auto giver = std::find_if(std::make_reverse_iterator(later), runs.rend(),
                                    [&](std::uint32_t run) { return run != m_places[wait].compute; });
    return giver == runs.rend() ? std::nullopt : std::optional(*giver);
}

} // namespace pipescope::trace

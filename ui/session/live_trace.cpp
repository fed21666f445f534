#include "session/live_trace.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace pipescope::session {

namespace {

/// Appends what is new, and puts the place where old and new overlap in time in order.
template <class Item, class TimeOf>
void addByTime(std::vector<Item> &items, std::vector<Item> &&fresh, TimeOf timeOf)
{
    const auto earlier = [&](const Item &a, const Item &b) { return timeOf(a) < timeOf(b); };
    const auto count = static_cast<std::ptrdiff_t>(items.size());
    std::move(fresh.begin(), fresh.end(), std::back_inserter(items));
    std::stable_sort(items.begin() + count, items.end(), earlier);
    if (count == 0 || items.begin() + count == items.end())
        return;
    const auto first =
        std::upper_bound(items.begin(), items.begin() + count, items[static_cast<std::size_t>(count)], earlier);
    std::inplace_merge(first, items.begin() + count, items.end(), earlier);
}

/// Its names, counts and feeds.
trace::Trace frameOf(const trace::Trace &trace)
{
    trace::Trace frame;
    frame.title = trace.title;
    frame.ranks = trace.ranks;
    frame.stages = trace.stages;
    frame.microbatches = trace.microbatches;
    frame.rankNames = trace.rankNames;
    frame.feeds = trace.feeds;
    return frame;
}

} // namespace

void LiveTrace::add(const trace::TracePart &part)
{
    if (part.number == 0) {
        clear();
        m_run = part.run;
    }
    if (part.run != m_run)
        return;
    const std::size_t more = part.trace.events.size() + part.trace.memory.size();
    if (more > m_most - m_count) {
        m_count = m_most; // a smaller part after it would leave a hole
        return;
    }
    m_count += more;
    if (more > 0 || (m_fresh.empty() && !m_whole))
        m_fresh.push_back(part.trace);
}

void LiveTrace::clear()
{
    m_run = -1;
    m_count = 0;
    m_fresh.clear();
    m_whole.reset();
}

std::shared_ptr<const trace::Trace> LiveTrace::snapshot()
{
    if (m_fresh.empty())
        return m_whole;
    const auto begin = std::chrono::steady_clock::now();
    trace::Trace whole = frameOf(m_fresh.back());
    if (m_whole) {
        whole.events = m_whole->events;
        whole.memory = m_whole->memory;
    }
    for (trace::Trace &part : std::exchange(m_fresh, {})) {
        addByTime(whole.events, std::move(part.events), [](const trace::Event &event) { return event.beginNs; });
        addByTime(whole.memory, std::move(part.memory), [](const trace::MemorySample &s) { return s.timeNs; });
    }
    m_whole = std::make_shared<const trace::Trace>(std::move(whole));
    m_cost = std::chrono::steady_clock::now() - begin;
    return m_whole;
}

} // namespace pipescope::session

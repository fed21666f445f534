#include "trace/recorder.h"

#include "base/error.h"
#include "trace/time_order.h"

#include <algorithm>
#include <cstdint>
#include <utility>

namespace pipescope::trace {

Recorder::Recorder(int ranks, std::size_t eventsPerRank)
    : m_read(static_cast<std::size_t>(ranks))
    , m_origin(std::chrono::steady_clock::now())
{
    for (int rank = 0; rank < ranks; ++rank)
        m_stores.push_back(std::make_unique<Store>(eventsPerRank));
}

void Recorder::start()
{
    m_origin = std::chrono::steady_clock::now();
}

std::int64_t Recorder::now() const
{
    return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now() - m_origin).count();
}

void Recorder::add(Event event)
{
    PIPESCOPE_ASSERT(event.rank.index() < m_stores.size());
    EventLog<Event> &events = m_stores[event.rank.index()]->events;
    events.add(std::move(event));
}

void Recorder::add(MemorySample sample)
{
    PIPESCOPE_ASSERT(sample.rank.index() < m_stores.size());
    m_stores[sample.rank.index()]->memory.push_back(sample);
}

std::vector<Event> Recorder::newEvents()
{
    std::vector<Event> events;
    for (std::size_t rank = 0; rank < m_stores.size(); ++rank)
        m_stores[rank]->events.readFrom(m_read[rank], events);
    sortByTime(events);
    return events;
}

Trace Recorder::finish(Trace frame)
{
    std::size_t events = frame.events.size();
    for (const std::unique_ptr<Store> &store : m_stores)
        events += store->events.size();
    frame.events.reserve(events);
    for (const std::unique_ptr<Store> &store : m_stores) {
        store->events.takeInto(frame.events);
        frame.memory.insert(frame.memory.end(), store->memory.begin(), store->memory.end());
        store->memory.clear();
    }
    std::fill(m_read.begin(), m_read.end(), EventLog<Event>::Position());
    sortByTime(frame.events);
    sortByTime(frame.memory);
    return frame;
}

} // namespace pipescope::trace

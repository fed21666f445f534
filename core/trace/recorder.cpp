#include "trace/recorder.h"

#include "base/error.h"

#include <algorithm>
#include <iterator>
#include <tuple>
#include <utility>

namespace pipescope::trace {

Recorder::Recorder(int ranks, std::size_t eventsPerRank)
    : m_stores(static_cast<std::size_t>(ranks))
    , m_origin(std::chrono::steady_clock::now())
{
    // Making the events, and not only room for them, has the system hand over the memory now and not during the run.
    for (Store &store : m_stores) {
        store.events.resize(eventsPerRank);
        store.events.clear();
    }
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
    m_stores[event.rank.index()].events.push_back(std::move(event));
}

void Recorder::add(MemorySample sample)
{
    PIPESCOPE_ASSERT(sample.rank.index() < m_stores.size());
    m_stores[sample.rank.index()].memory.push_back(sample);
}

Trace Recorder::finish(Trace frame)
{
    for (Store &store : m_stores) {
        std::move(store.events.begin(), store.events.end(), std::back_inserter(frame.events));
        frame.memory.insert(frame.memory.end(), store.memory.begin(), store.memory.end());
        store.events.clear();
        store.memory.clear();
    }
    std::stable_sort(frame.events.begin(), frame.events.end(), [](const Event &a, const Event &b) {
        return std::tuple(a.beginNs, a.rank, a.endNs) < std::tuple(b.beginNs, b.rank, b.endNs);
    });
    std::stable_sort(frame.memory.begin(), frame.memory.end(),
                     [](const MemorySample &a, const MemorySample &b) { return a.timeNs < b.timeNs; });
    return frame;
}

} // namespace pipescope::trace

// Collects a run's events while it runs: each rank appends to its own log, so recording takes no lock and waits for
// nobody, whoever reads along. finish() puts them together once the ranks have stopped.
#pragma once

#include "trace/event.h"
#include "trace/event_log.h"

#include <chrono>
#include <cstddef>
#include <memory>
#include <vector>

namespace pipescope::trace {

class Recorder
{
public:
    /// Room for `eventsPerRank` events is made ahead, so that recording does not allocate until that many.
    Recorder(int ranks, std::size_t eventsPerRank);

    /// The run begins now: times are nanoseconds since.
    void start();
    /// Nanoseconds since start(); any thread.
    [[nodiscard]] std::int64_t now() const;
    /// The moment of start().
    [[nodiscard]] std::chrono::steady_clock::time_point origin() const { return m_origin; }

    /// From the thread of event.rank only.
    void add(Event event);
    /// From the thread of sample.rank, or after the run.
    void add(MemorySample sample);

    /// What was recorded since the last call, by begin time; ranks may record meanwhile. From one thread at a time.
    [[nodiscard]] std::vector<Event> newEvents();

    /// Moves everything out, sorted by time; `frame` brings all but events and memory. After the ranks have
    /// stopped; nobody reads any more then.
    [[nodiscard]] Trace finish(Trace frame);

private:
    // Apart from each other in memory: two ranks never write one cache line.
    struct alignas(128) Store
    {
        explicit Store(std::size_t capacity)
            : events(capacity)
        {
        }
        EventLog<Event> events;
        std::vector<MemorySample> memory;
    };
    std::vector<std::unique_ptr<Store>> m_stores;
    std::vector<EventLog<Event>::Position> m_read; ///< by rank, of newEvents()
    std::chrono::steady_clock::time_point m_origin;
};

} // namespace pipescope::trace

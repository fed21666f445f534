// Collects a run's events while it runs: each rank appends to its own store, so recording takes no lock. finish() puts
// them together once the ranks have stopped.
#pragma once

#include "trace/event.h"

#include <chrono>
#include <cstddef>
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

    /// Moves everything out, sorted by time; `frame` brings title, counts and names. After the ranks have stopped.
    [[nodiscard]] Trace finish(Trace frame);

private:
    // Apart from each other in memory: two ranks never write one cache line.
    struct alignas(128) Store
    {
        std::vector<Event> events;
        std::vector<MemorySample> memory;
    };
    std::vector<Store> m_stores;
    std::chrono::steady_clock::time_point m_origin;
};

} // namespace pipescope::trace

// The trace of a run under way, put together from the notes of the engine. Noting is cheap however much there is
// already; the whole is put in order only where somebody looks.
#pragma once

#include "protocol/calls.h"

#include <chrono>
#include <cstddef>
#include <memory>
#include <vector>

namespace pipescope::session {

class LiveTrace
{
public:
    /// Events and memory samples of one run together; what comes after them is passed over, so that an engine that
    /// never stops telling does not take all memory. The report of the run has everything.
    static constexpr std::size_t Most = 2'000'000;

    /// A note of a later run than the last one begins afresh; one of an earlier run is passed over.
    void add(protocol::TraceNote note);
    /// Forgets everything.
    void clear();

    /// Everything noted of the latest run, by time; null where there is nothing. The same object until more is noted,
    /// and never changed afterwards. Costs a copy of all events where something is new.
    [[nodiscard]] std::shared_ptr<const trace::Trace> snapshot();
    /// What making the last snapshot took.
    [[nodiscard]] std::chrono::nanoseconds cost() const { return m_cost; }

private:
    int m_run = -1;
    std::size_t m_count = 0;                     ///< of events and samples
    std::vector<trace::Trace> m_fresh;           ///< not in the snapshot yet
    std::shared_ptr<const trace::Trace> m_whole; ///< everything before
    std::chrono::nanoseconds m_cost{0};
};

} // namespace pipescope::session

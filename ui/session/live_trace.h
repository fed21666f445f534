// The trace of a run under way, put together from its parts as they come. Noting one is cheap however much there is
// already; the whole is put in order only where somebody looks.
#pragma once

#include "trace/trace_part.h"

#include <chrono>
#include <cstddef>
#include <memory>
#include <vector>

namespace pipescope::session {

class LiveTrace
{
public:
    /// Events and memory samples of one run together. From the first part on that would exceed them, nothing more is
    /// shown while the run is under way, so that it costs neither memory nor time. The run that is kept has everything.
    static constexpr std::size_t Most = 2'000'000;

    LiveTrace() = default;
    explicit LiveTrace(std::size_t most)
        : m_most(most)
    {
    }

    /// A part numbered 0 begins afresh; one of another run than that is passed over.
    void add(const trace::TracePart &part);
    /// Forgets everything.
    void clear();

    /// Everything noted of the latest run, by time; null where there is nothing. The same object until more is noted,
    /// and never changed afterwards. Costs a copy of all events where something is new.
    [[nodiscard]] std::shared_ptr<const trace::Trace> snapshot();
    /// What making the last snapshot took.
    [[nodiscard]] std::chrono::nanoseconds cost() const { return m_cost; }

private:
    std::size_t m_most = Most;
    int m_run = -1;
    std::size_t m_count = 0;                     ///< of events and samples; m_most once a part did not fit
    std::vector<trace::Trace> m_fresh;           ///< not in the snapshot yet
    std::shared_ptr<const trace::Trace> m_whole; ///< everything before
    std::chrono::nanoseconds m_cost{0};
};

} // namespace pipescope::session

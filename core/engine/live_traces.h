// Tells measured runs as they go, but no run that is over before anybody could have seen the one before it. Private to
// engine/.
#pragma once

#include "base/clock.h"
#include "engine/job_context.h"
#include "runtime/pipeline_run.h"
#include "trace/trace_splitter.h"

#include <chrono>
#include <optional>

namespace pipescope::engine {

class LiveTraces
{
public:
    /// A window draws no faster.
    static constexpr std::chrono::milliseconds Interval{33};

    explicit LiveTraces(const JobContext &context, Clock clock = std::chrono::steady_clock::now);

    /// For a run that begins; nothing for warm-ups, whose numbers are negative, and where nobody listens.
    [[nodiscard]] runtime::Traced forRun(int run);

    /// Tells the reported run whole where it was not the last one told. How much of it went out.
    trace::TraceExtent finish(int run, const trace::Trace &trace);

private:
    void tell(int run, trace::Trace part);

    const Clock m_clock;
    const bool m_isHeard;
    trace::TraceSplitter m_parts;
    int m_run = -1;           ///< the last of which there was something to tell
    bool m_isLeftOut = false; ///< that run
    std::optional<std::chrono::steady_clock::time_point> m_told;
};

} // namespace pipescope::engine

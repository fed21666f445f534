#include "engine/live_traces.h"

#include <cstdint>
#include <utility>

namespace pipescope::engine {

LiveTraces::LiveTraces(const JobContext &context, Clock clock)
    : m_clock(std::move(clock))
    , m_isHeard(context.traced != nullptr)
    , m_parts(context.traced, context.partBytes)
{
}

runtime::Traced LiveTraces::forRun(int run)
{
    if (!m_isHeard || run < 0)
        return {};
    return [this, run](trace::Trace part) { tell(run, std::move(part)); };
}

trace::TraceExtent LiveTraces::finish(int run, const trace::Trace &trace)
{
    if (m_isHeard && m_parts.run() != run)
        m_parts.add(run, trace);
    return {run, m_parts.parts(), static_cast<std::int64_t>(trace.events.size()),
            static_cast<std::int64_t>(trace.memory.size())};
}

void LiveTraces::tell(int run, trace::Trace part)
{
    const auto now = m_clock();
    if (std::exchange(m_run, run) != run)
        m_isLeftOut = m_told && now - *m_told < Interval;
    if (m_isLeftOut)
        return;
    m_told = now;
    m_parts.add(run, std::move(part));
}

} // namespace pipescope::engine

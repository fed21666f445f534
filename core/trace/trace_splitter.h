// Sends a trace out in parts of a bounded size, numbered one after another.
#pragma once

#include "trace/trace_part.h"

#include <cstddef>
#include <functional>

namespace pipescope::trace {

class TraceSplitter
{
public:
    using Out = std::function<void(const TracePart &)>;

    /// Parts take about `mostBytes` or less where they are sent; one has an event or a sample at least.
    TraceSplitter(Out out, std::size_t mostBytes);

    /// More of a run's trace, as one part or several. Another run than the last one begins afresh.
    void add(int run, Trace piece);

    /// The run of the last part; -1 before any.
    [[nodiscard]] int run() const { return m_run; }
    /// How many parts of that run went out.
    [[nodiscard]] int parts() const { return m_parts; }

private:
    void send(Trace &trace);

    const Out m_out;
    const std::size_t m_mostBytes;
    int m_run = -1;
    int m_parts = 0;
};

} // namespace pipescope::trace

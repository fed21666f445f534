// Puts the parts of a run's trace together, and notices what is missing: a trace is whole, or it is an error.
#pragma once

#include "base/result.h"
#include "trace/trace_part.h"

#include <cstddef>
#include <string>

namespace pipescope::trace {

class TraceCollector
{
public:
    /// Events and memory samples together (8 GiB of them): one who never stops telling does not take all memory.
    static constexpr std::size_t Most = 1 << 26;

    TraceCollector() = default;
    explicit TraceCollector(std::size_t most)
        : m_most(most)
    {
    }

    /// In the order in which they come. The first one of another run begins afresh, whatever was missing before.
    void add(TracePart part);
    /// A part came that cannot be read; `why` is a clause.
    void addUnreadable(const std::string &why) { fail("a part cannot be read: " + why); }

    /// Moves the trace out, by time. Error: InvalidFile, saying what is missing, doubled or late, where the parts are
    /// not the trace of this extent.
    Result<Trace> take(const TraceExtent &whole);

private:
    [[nodiscard]] std::string faultOf(const TracePart &part) const;
    [[nodiscard]] std::string faultOf(const TraceExtent &whole) const;
    void fail(std::string what);

    std::size_t m_most = Most;
    int m_run = -1;
    int m_parts = 0; ///< of this run
    Trace m_trace;
    std::string m_fault; ///< the first one of this run; "" for none
};

} // namespace pipescope::trace

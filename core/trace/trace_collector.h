// Puts the parts of a run's trace together, and notices a missing one. A trace that takes too much memory is cut short.
#pragma once

#include "base/result.h"
#include "trace/trace_part.h"

#include <cstddef>
#include <cstdint>
#include <string>

namespace pipescope::trace {

class TraceCollector
{
public:
    /// Of memory, for events and memory samples: an engine that never stops telling does not take all of it.
    static constexpr std::size_t MostBytes = std::size_t{4} << 30;

    TraceCollector() = default;
    explicit TraceCollector(std::size_t mostBytes)
        : m_mostBytes(mostBytes)
    {
    }

    /// In the order in which they come. The first one of another run begins afresh, whatever was missing before.
    void add(TracePart part);
    /// A part came that cannot be read; `why` is a clause.
    void addUnreadable(const std::string &why) { fail("a part cannot be read: " + why); }

    [[nodiscard]] std::size_t mostBytes() const { return m_mostBytes; }
    /// Whether the run's first parts filled the memory, and the others are counted but not kept.
    [[nodiscard]] bool isCutShort() const { return m_isCutShort; }

    /// Moves out what is kept of the trace, by time. Error: InvalidFile, saying what is missing, doubled or late, where
    /// the parts are not the trace of this extent.
    Result<Trace> take(const TraceExtent &whole);

private:
    [[nodiscard]] std::string faultOf(const TracePart &part) const;
    [[nodiscard]] std::string faultOf(const TraceExtent &whole) const;
    void keep(Trace &&more);
    void fail(std::string what);

    std::size_t m_mostBytes = MostBytes;
    std::size_t m_bytes = 0; ///< of the parts that are kept
    bool m_isCutShort = false;
    int m_run = -1;
    int m_parts = 0;            ///< of this run, as are the next two
    std::int64_t m_events = 0;  ///< that came, kept or not
    std::int64_t m_samples = 0; ///< likewise
    Trace m_trace;
    std::string m_fault; ///< the first one of this run; "" for none
};

} // namespace pipescope::trace

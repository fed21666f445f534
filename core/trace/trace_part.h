// A run's trace in parts, which go out as it happens: whoever has all of them, in their order, has the trace.
// trace_splitter.h makes them, trace_collector.h puts them together.
#pragma once

#include "trace/event.h"

#include <cstdint>

namespace pipescope::trace {

struct TracePart
{
    int run = 0;    ///< which measured run of the request, from 0
    int number = 0; ///< among the parts of that run, from 0; the one numbered 0 begins a trace afresh
    Trace trace; ///< title, counts, names and feeds of the whole; of events and memory samples only those that are new

    friend bool operator==(const TracePart &, const TracePart &) = default;
};

/// How much there is of a trace that went out in parts, so that a missing one is noticed.
struct TraceExtent
{
    int run = 0;
    int parts = 0;
    std::int64_t events = 0;
    std::int64_t samples = 0;

    friend bool operator==(const TraceExtent &, const TraceExtent &) = default;
};

} // namespace pipescope::trace

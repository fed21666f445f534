// A run with its trace.
#pragma once

#include "base/result.h"
#include "report/run_report.h"
#include "trace/trace_collector.h"

namespace pipescope::report {

struct TracedRun : RunReport
{
    trace::Trace trace;

    friend bool operator==(const TracedRun &, const TracedRun &) = default;
};

/// Puts a report and the parts of its trace together. A trace that the collector cut short is one of the report's
/// warnings. Error: InvalidFile where parts are missing or of another run (trace_collector.h), and where the trace and
/// the report do not hold together (check_report.h).
Result<TracedRun> withTrace(RunReport report, trace::TraceCollector parts);

} // namespace pipescope::report

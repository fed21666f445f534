#include "report/run_report.h"

#include "report/check_report.h"

#include <utility>

namespace pipescope::report {

Result<TracedRun> withTrace(RunReport report, trace::TraceCollector parts)
{
    Result<trace::Trace> trace = parts.take(report.traced);
    if (!trace)
        return trace.error();
    TracedRun run{std::move(report), *std::move(trace)};
    if (const Status whole = checkReport(run); !whole)
        return whole.error();
    return run;
}

} // namespace pipescope::report

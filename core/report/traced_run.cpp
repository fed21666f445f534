#include "report/traced_run.h"

#include "base/text.h"
#include "report/check_report.h"

#include <fmt/format.h>
#include <utility>

namespace pipescope::report {

namespace {

std::string cutShortText(const trace::Trace &kept, std::size_t mostBytes)
{
    const double seconds = kept.events.empty() ? 0 : trace::secondsBetween(0, kept.events.back().beginNs);
    return fmt::format("the trace takes more than {}: only its first {} are kept; run fewer microbatches to see all of "
                       "it",
                       formatBytes(static_cast<std::int64_t>(mostBytes)), formatSeconds(seconds));
}

} // namespace

Result<TracedRun> withTrace(RunReport report, trace::TraceCollector parts)
{
    const bool isCutShort = parts.isCutShort();
    Result<trace::Trace> trace = parts.take(report.traced);
    if (!trace)
        return trace.error();
    if (isCutShort)
        report.warnings.push_back(cutShortText(*trace, parts.mostBytes()));
    TracedRun run{std::move(report), *std::move(trace)};
    if (const Status whole = checkReport(run); !whole)
        return whole.error();
    return run;
}

} // namespace pipescope::report

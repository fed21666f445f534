#include "run_traced.h"

#include "engine/run_job.h"
#include "option_words.h"

#include <utility>

namespace pipescope::app {

Result<report::TracedRun> runTraced(const report::RunRequest &request, engine::JobContext context)
{
    trace::Trace trace;
    context.wholeTrace = [&trace](trace::Trace whole) { trace = std::move(whole); };
    Result<report::RunReport> report = engine::run(request, context);
    if (!report)
        return report.error();
    return report::TracedRun{withOptions(*std::move(report)), std::move(trace)};
}

} // namespace pipescope::app

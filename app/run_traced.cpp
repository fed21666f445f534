#include "run_traced.h"

#include "engine/run_job.h"
#include "option_words.h"

#include <utility>

namespace pipescope::app {

Result<report::TracedRun> runTraced(const report::RunRequest &request, engine::JobContext context)
{
    trace::TraceCollector parts;
    context.traced = [&parts](const trace::TracePart &part) { parts.add(part); };
    Result<report::RunReport> report = engine::run(request, context);
    if (!report)
        return report.error();
    return report::withTrace(withOptions(*std::move(report)), std::move(parts));
}

} // namespace pipescope::app

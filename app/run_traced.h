// A run in this process, with its trace.
#pragma once

#include "base/result.h"
#include "engine/job_context.h"
#include "report/traced_run.h"

namespace pipescope::app {

/// engine::run with its trace, and the options that its messages speak of. Errors as engine::run.
Result<report::TracedRun> runTraced(const report::RunRequest &request, engine::JobContext context);

} // namespace pipescope::app

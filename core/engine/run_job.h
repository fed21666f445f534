// The main job from beginning to end: load, cut the batch, place the stages, run them in parallel, measure, and compare
// with the unsplit model. Results are values; nothing is printed or written here.
#pragma once

#include "base/result.h"
#include "engine/job_context.h"
#include "report/run_report.h"

namespace pipescope::engine {

/// Errors: as load.h, import_method.h, make_input.h, chunks.h, split_point.h, schedule_table.h and pipeline_run.h give
/// them; InvalidArgument where devices, schedule and stages do not fit together; Cancelled.
Result<report::RunReport> run(const report::RunRequest &request, const JobContext &context);

/// For the comparison with the unsplit model only: one run without warm-up, whatever the request says of these. The
/// report has no time of the unsplit model. Errors as run().
Result<report::RunReport> check(const report::RunRequest &request, const JobContext &context);

} // namespace pipescope::engine

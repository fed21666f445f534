// The main job from beginning to end: load, cut the batch, place the stages, run them in parallel, measure, and compare
// with the unsplit model. Results are values; nothing is printed or written here.
#pragma once

#include "base/result.h"
#include "check/report.h"
#include "engine/job_context.h"
#include "engine/stage_report.h"
#include "plan/plan.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace pipescope::engine {

struct RunRequest
{
    /// No devices: one CPU device for each stage (or each rank of a schedule file).
    plan::Plan plan;
    /// So many stages, balanced by measured cost, in place of plan.splits.
    std::optional<int> balanceInto;
    bool check = true;
    int warmUps = 1; ///< runs before the measured ones
    int repeat = 1;  ///< measured runs; the one with the median makespan is reported
};

struct RunReport
{
    plan::Plan plan; ///< with everything decided: splits as stable names, devices and the model's hash filled in
    std::string modelClass;
    std::vector<StageReport> stages;
    std::vector<std::int64_t> microbatches;          ///< rows of each
    trace::Trace trace;                              ///< of the run with the median makespan
    trace::Stats stats;                              ///< of the same run
    std::vector<double> makespans;                   ///< seconds of every measured run, in order
    std::optional<check::Equivalence> equivalence;   ///< absent without check
    std::optional<check::Separability> separability; ///< absent without check, or where it cannot be asked
    std::string separabilityUnknown;                 ///< why it could not be asked, as a sentence
    std::vector<partition::Tie> ties;
    /// The unsplit model on the same microbatches one after another, with one rank's threads: median. Absent without
    /// check.
    std::optional<double> unsplitSeconds;
    std::vector<std::string> warnings;
};

/// Errors: as load.h, import_method.h, make_input.h, chunks.h, split_point.h, schedule_table.h and pipeline_run.h give
/// them; InvalidArgument where devices, schedule and stages do not fit together; Cancelled.
Result<RunReport> run(const RunRequest &request, const JobContext &context);

} // namespace pipescope::engine

// What a run is asked and what it answers, as plain values: they cross from the engine to whoever shows them.
#pragma once

#include "partition/held_uses.h"
#include "plan/plan.h"
#include "report/comparison.h"
#include "report/stage_report.h"
#include "trace/trace_part.h"
#include "trace/trace_stats.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace pipescope::report {

struct RunRequest
{
    /// No devices: one CPU device for each stage (or each rank of a schedule file).
    plan::Plan plan;
    /// So many stages, balanced by measured cost, in place of plan.splits. Without it plan.splits may ask for that.
    std::optional<int> balanceInto;
    bool specialise = false; ///< for plan.inputs, in place of plan.specialised
    bool check = true;
    int warmUps = 1; ///< runs before the measured ones
    int repeat = 1;  ///< measured runs, all of them checked; the one with the median makespan is reported
    /// Of the model's file; one that has another is refused before any of it is loaded. "" for any: one that is not the
    /// plan's is then a warning.
    std::string expectedSha256;

    friend bool operator==(const RunRequest &, const RunRequest &) = default;
};

/// All of a run but its trace (traced_run.h), which is as long as the run was.
struct RunReport
{
    /// With everything decided: splits as stable names; devices, the model's hash and what it is specialised for filled
    /// in.
    plan::Plan plan;
    std::string schedule; ///< what ran: the plan's, or "forwards of gpipe" where its backwards were left out
    std::string modelClass;
    std::vector<StageReport> stages;
    std::vector<std::int64_t> microbatches;   ///< rows of each
    trace::TraceExtent traced;                ///< of the trace of the run with the median makespan, as it went out
    trace::Stats stats;                       ///< of the same run
    std::vector<double> makespans;            ///< seconds of every measured run, in order
    std::optional<Equivalence> equivalence;   ///< absent without check
    std::optional<Separability> separability; ///< absent without check, or where it cannot be asked
    std::string separabilityUnknown;          ///< why it could not be asked, as a sentence
    std::vector<partition::Tie> ties;
    partition::UnusedTensors unused; ///< which are in no stage
    /// The unsplit model on the same microbatches one after another, with one rank's threads: median. Absent without
    /// check.
    std::optional<double> unsplitSeconds;
    std::vector<std::string> warnings;

    friend bool operator==(const RunReport &, const RunReport &) = default;
};

} // namespace pipescope::report

// The runs themselves: warm-up, then as many as asked for, and which of them is reported. Private to engine/.
#pragma once

#include "engine/pipeline_setup.h"
#include "trace/trace_part.h"
#include "trace/trace_stats.h"

#include <ATen/core/ivalue.h>
#include <vector>

namespace pipescope::engine {

struct MeasuredRun
{
    std::vector<std::vector<c10::IValue>> outputs; ///< of the last run, by microbatch
    trace::Trace trace;                            ///< of the run with the median makespan, which is the one reported
    trace::TraceExtent traced;                     ///< of what was told of it
    trace::Stats stats;
    std::vector<double> makespans; ///< by run, seconds
};

struct RunCounts
{
    int warmUps = 1;
    int repeat = 1;
};

/// State the model writes is put back before each run and at the end.
Result<MeasuredRun> runPipeline(const PipelineSetup &setup, RunCounts counts, const JobContext &context);

/// Median seconds of the unsplit model on all microbatches, one after another, with one rank's threads, warmed up like
/// the pipeline.
Result<double> timeUnsplit(const PipelineSetup &setup, RunCounts counts, const JobContext &context);

} // namespace pipescope::engine

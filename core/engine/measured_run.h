// The runs themselves: warm-up, then as many as asked for, and which of them is reported. Private to engine/.
#pragma once

#include "engine/distinct_outputs.h"
#include "engine/pipeline_setup.h"
#include "trace/trace_part.h"
#include "trace/trace_stats.h"

#include <vector>

namespace pipescope::engine {

struct MeasuredRun
{
    DistinctOutputs outputs;   ///< of every run
    trace::Trace trace;        ///< of the run with the median makespan, which is the one reported (median_trace.h)
    trace::TraceExtent traced; ///< of what was told of it
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

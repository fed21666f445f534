#include "engine/measured_run.h"

#include "check/run_scope.h"
#include "engine/live_traces.h"
#include "engine/median_trace.h"
#include "exec/model_state.h"
#include "exec/stage_program.h"
#include "runtime/pipeline_run.h"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <fmt/format.h>
#include <utility>

namespace pipescope::engine {

namespace {

runtime::RunOptions runOptions(const plan::Plan &plan, const JobContext &context)
{
    runtime::RunOptions options;
    options.devices = plan.devices;
    options.threadsPerRank = plan.threadsPerRank;
    options.maxInFlight = plan.maxInFlight;
    options.seed = plan.seed;
    options.grad = plan.grad;
    options.report = context.stalled;
    return options;
}

Progress stepProgress(const JobContext &context, std::string step)
{
    if (!context.progress)
        return {};
    return [&context, step = std::move(step)](std::string_view, double fraction) { context.progress(step, fraction); };
}

std::string stepName(int run, RunCounts counts, std::size_t microbatches)
{
    if (run < counts.warmUps)
        return "pipeline: warming up";
    const std::string what =
        fmt::format("pipeline: {} {}", microbatches, microbatches == 1 ? "microbatch" : "microbatches");
    return counts.repeat == 1 ? what : fmt::format("{}, run {} of {}", what, run - counts.warmUps + 1, counts.repeat);
}

Result<double> timeOnce(const exec::StageProgram &program, const PipelineSetup &setup, const JobContext &context)
{
    std::vector<std::vector<c10::IValue>> microbatches = setup.freshMicrobatches();
    const auto begin = std::chrono::steady_clock::now();
    for (std::size_t i = 0; i < microbatches.size(); ++i) {
        exec::StageCall call;
        call.microbatch = MicrobatchId{static_cast<int>(i)};
        call.seed = setup.plan.seed;
        call.stop = context.stop;
        if (auto outputs = program.run(std::move(microbatches[i]), call); !outputs)
            return outputs.error();
    }
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

} // namespace

Result<MeasuredRun> runPipeline(const PipelineSetup &setup, RunCounts counts, const JobContext &context)
{
    tell(context, "building the stages");
    auto pipeline =
        runtime::PipelineRun::create(setup.model, setup.partition, setup.schedule, runOptions(setup.plan, context));
    if (!pipeline)
        return pipeline.error();
    const exec::StateGuard state(setup.model);
    MedianTrace traces(counts.repeat);
    MeasuredRun measured;
    LiveTraces live(context);
    for (int run = 0; run < counts.warmUps + counts.repeat; ++run) {
        state.restore();
        const Progress progress = stepProgress(context, stepName(run, counts, setup.chunks.args.size()));
        Result<runtime::RunResult> result =
            (*pipeline)->run(setup.freshMicrobatches(), context.stop, progress, live.forRun(run - counts.warmUps));
        if (!result)
            return result.error();
        if (run < counts.warmUps)
            continue;
        traces.add(std::move(result->trace));
        measured.outputs.add(std::move(result->outputs));
    }
    measured.makespans = traces.makespans();
    MedianTrace::Reported reported = traces.take();
    measured.trace = std::move(reported.trace);
    measured.traced = live.finish(reported.run, measured.trace);
    measured.stats = trace::traceStats(measured.trace);
    return measured;
}

Result<double> timeUnsplit(const PipelineSetup &setup, RunCounts counts, const JobContext &context)
{
    tell(context, "unsplit model: timing it");
    Result<exec::StageProgram> program = exec::StageProgram::buildWhole(setup.model, exec::heldBy(setup.model));
    if (!program)
        return program.error();
    check::CheckOptions options;
    options.threads = setup.plan.threadsPerRank;
    options.grad = setup.plan.grad;
    const check::RunScope modes(options);
    const exec::StateGuard state(setup.model);
    std::vector<double> seconds;
    for (int run = 0; run < counts.warmUps + counts.repeat; ++run) {
        state.restore();
        Result<double> once = timeOnce(*program, setup, context);
        if (!once)
            return once;
        if (run >= counts.warmUps)
            seconds.push_back(*once);
    }
    return seconds[medianIndex(seconds)];
}

} // namespace pipescope::engine

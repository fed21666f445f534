#include "engine/run_job.h"

#include "engine/compare_run.h"
#include "engine/failed_run.h"
#include "engine/measured_run.h"
#include "engine/pipeline_setup.h"
#include "engine/tell_needs.h"
#include "tensor/torch_guard.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

namespace pipescope::engine {

namespace {

Status checkRequest(const report::RunRequest &request)
{
    if (request.warmUps < 0)
        return Error{ErrorCode::InvalidArgument,
                     fmt::format("{} runs cannot warm up; give 0 or more", request.warmUps),
                     "warm-ups",
                     {}};
    if (request.repeat < 1)
        return Error{ErrorCode::InvalidArgument,
                     fmt::format("{} runs cannot be measured; give 1 or more", request.repeat),
                     "repeat",
                     {}};
    return Success{};
}

report::RunReport reportOf(const PipelineSetup &setup, const MeasuredRun &measured)
{
    report::RunReport report;
    report.plan = setup.plan;
    report.schedule = setup.schedule.name;
    report.modelClass = setup.model.graph.modelClass;
    report.stages = report::stageReports(setup.model.graph, setup.partition);
    report::addMeasurements(report.stages, measured.trace, measured.stats);
    report.microbatches = setup.chunks.rows;
    report.traced = measured.traced;
    report.stats = measured.stats;
    report.makespans = measured.makespans;
    report.ties = setup.partition.ties;
    report.unused = partition::unusedTensors(setup.model.graph);
    return report;
}

/// What a comparison is made for: beside the measured runs, or alone.
enum class Purpose { Measuring, Checking };

Result<report::RunReport> runJob(const report::RunRequest &request, Purpose purpose, const JobContext &context)
{
    if (Status valid = checkRequest(request); !valid)
        return valid.error();
    Warnings warnings(context);
    const report::Machine machine = machineBefore(context);
    Result<PipelineSetup> setup = setUpRun(request, context, warnings);
    if (!setup)
        return setup.error();
    tellNeeds(*setup, request, machine, context, warnings);
    Result<MeasuredRun> measured = runPipeline(*setup, {request.warmUps, request.repeat}, context);
    if (!measured)
        return explainFailure(measured.error(), *setup, context);
    report::RunReport report = reportOf(*setup, *measured);
    if (request.check) {
        if (Status compared = compareRun(*setup, *measured, report, context); !compared)
            return compared.error();
    }
    if (request.check && purpose == Purpose::Measuring) {
        Result<double> unsplit = timeUnsplit(*setup, {request.warmUps, request.repeat}, context);
        if (!unsplit)
            return unsplit.error();
        report.unsplitSeconds = *unsplit;
    }
    report.warnings = warnings.all();
    if (context.wholeTrace)
        context.wholeTrace(std::move(measured->trace));
    return report;
}

} // namespace

Result<report::RunReport> run(const report::RunRequest &request, const JobContext &context)
{
    return tensor::guardTorch(ErrorCode::Internal, request.plan.model,
                              [&] { return runJob(request, Purpose::Measuring, context); });
}

Result<report::RunReport> check(const report::RunRequest &request, const JobContext &context)
{
    report::RunRequest once = request;
    once.check = true;
    once.warmUps = 0;
    once.repeat = 1;
    return tensor::guardTorch(ErrorCode::Internal, once.plan.model,
                              [&] { return runJob(once, Purpose::Checking, context); });
}

} // namespace pipescope::engine

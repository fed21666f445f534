#include "engine/split_job.h"

#include "engine/pipeline_setup.h"
#include "exec/save_stage.h"
#include "plan/plan_file.h"
#include "tensor/torch_guard.h"

#include <filesystem>

namespace pipescope::engine {

namespace {

Result<SplitReport> splitJob(const RunRequest &request, const std::string &folder, const JobContext &context)
{
    Warnings warnings(context);
    Result<PipelineSetup> setup = setUpSplit(request, context, warnings);
    if (!setup)
        return setup.error();
    if (Status go = checkStop(context); !go)
        return go.error();
    tell(context, "saving the stages");
    Result<std::vector<exec::SavedStage>> saved = exec::saveStages(setup->model, setup->partition, folder);
    if (!saved)
        return saved.error();
    SplitReport report;
    report.plan = setup->plan;
    report.folder = folder;
    report.planFile = "plan.json";
    if (Status written = plan::savePlan(report.plan, std::filesystem::path(folder) / report.planFile); !written)
        return written.error();
    report.stages = stageReports(setup->model.graph, setup->partition);
    for (exec::SavedStage &stage : *saved)
        report.files.push_back(
            {std::move(stage.file), std::move(stage.inputs), std::move(stage.outputs), std::move(stage.parameters)});
    report.ties = setup->partition.ties;
    report.warnings = warnings.all();
    return report;
}

} // namespace

Result<SplitReport> split(const RunRequest &request, const std::string &folder, const JobContext &context)
{
    return tensor::guardTorch(ErrorCode::Internal, request.plan.model,
                              [&] { return splitJob(request, folder, context); });
}

} // namespace pipescope::engine

#include "engine/split_job.h"

#include "engine/pipeline_setup.h"
#include "exec/save_stage.h"
#include "plan/plan_file.h"
#include "tensor/torch_guard.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <string_view>
#include <system_error>

namespace pipescope::engine {

namespace {

bool isStageFile(std::string_view name)
{
    constexpr std::string_view Begin = "stage";
    constexpr std::string_view End = ".pt";
    if (!name.starts_with(Begin) || !name.ends_with(End) || name.size() <= Begin.size() + End.size())
        return false;
    name = name.substr(Begin.size(), name.size() - Begin.size() - End.size());
    return std::all_of(name.begin(), name.end(), [](char c) { return c >= '0' && c <= '9'; });
}

// An earlier split into more stages leaves files that whoever takes stage*.pt would take for this one's.
void warnOfOtherStages(const std::string &folder, const std::vector<exec::SavedStage> &saved, Warnings &warnings)
{
    std::vector<std::string> others;
    std::error_code ignored;
    for (const auto &entry : std::filesystem::directory_iterator(folder, ignored)) {
        const std::string name = entry.path().filename().string();
        const auto isOurs = [&](const exec::SavedStage &stage) { return stage.file == name; };
        if (isStageFile(name) && std::none_of(saved.begin(), saved.end(), isOurs))
            others.push_back(name);
    }
    std::sort(others.begin(), others.end());
    if (!others.empty())
        warnings.add(fmt::format("'{}' also has {}, which this split did not write", folder, fmt::join(others, ", ")));
}

Result<report::SplitReport> splitJob(const report::RunRequest &request, const std::string &folder,
                                     const JobContext &context, report::Unused unused)
{
    Warnings warnings(context);
    Result<PipelineSetup> setup = setUpSplit(request, context, warnings);
    if (!setup)
        return setup.error();
    if (Status go = checkStop(context); !go)
        return go.error();
    if (unused == report::Unused::Kept)
        partition::keepUnused(setup->model.graph, setup->partition);
    tell(context, "saving the stages");
    Result<std::vector<exec::SavedStage>> saved =
        exec::saveStages(setup->model, setup->partition, folder, context.stop, setup->plan.modelSha256);
    if (!saved)
        return saved.error();
    warnOfOtherStages(folder, *saved, warnings);
    report::SplitReport report;
    report.plan = setup->plan;
    report.folder = folder;
    report.planFile = "plan.json";
    if (Status written = plan::savePlan(report.plan, std::filesystem::path(folder) / report.planFile); !written)
        return written.error();
    report.stages = report::stageReports(setup->model.graph, setup->partition);
    for (exec::SavedStage &stage : *saved)
        report.files.push_back({std::move(stage.file), std::move(stage.inputs), std::move(stage.outputs),
                                std::move(stage.parameters), std::move(stage.sha256)});
    report.ties = setup->partition.ties;
    report.unused = partition::unusedTensors(setup->model.graph);
    report.warnings = warnings.all();
    return report;
}

} // namespace

Result<report::SplitReport> split(const report::RunRequest &request, const std::string &folder,
                                  const JobContext &context, report::Unused unused)
{
    return tensor::guardTorch(ErrorCode::Internal, request.plan.model,
                              [&] { return splitJob(request, folder, context, unused); });
}

} // namespace pipescope::engine

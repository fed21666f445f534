// Splitting a model into files: each stage as TorchScript, and the plan that made them.
#pragma once

#include "base/result.h"
#include "engine/job_context.h"
#include "engine/run_job.h"

#include <string>
#include <vector>

namespace pipescope::engine {

/// One stage's file, as exec/save_stage.h describes it.
struct StageFile
{
    std::string file; ///< name inside the folder
    std::vector<std::string> inputs;
    std::vector<std::string> outputs;
    std::vector<std::string> parameters;

    friend bool operator==(const StageFile &, const StageFile &) = default;
};

struct SplitReport
{
    plan::Plan plan;
    std::string folder;
    std::string planFile;
    std::vector<StageReport> stages;
    std::vector<StageFile> files; ///< by stage
    std::vector<partition::Tie> ties;
    std::vector<std::string> warnings;
};

/// Only the model, its splits and, for balancing by measured cost, its inputs are used of the request. The folder is
/// made when absent; it gets the stages, stages.json and plan.json.
Result<SplitReport> split(const RunRequest &request, const std::string &folder, const JobContext &context);

} // namespace pipescope::engine

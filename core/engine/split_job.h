// Splitting a model into files: each stage as TorchScript, and the plan that made them.
#pragma once

#include "base/result.h"
#include "engine/job_context.h"
#include "report/run_report.h"
#include "report/split_report.h"

#include <string>

namespace pipescope::engine {

/// Only the model, its splits and, for balancing by measured cost, its inputs are used of the request. The folder is
/// made when absent; it gets the stages, stages.json and plan.json.
Result<report::SplitReport> split(const report::RunRequest &request, const std::string &folder,
                                  const JobContext &context, report::Unused unused = report::Unused::LeftOut);

} // namespace pipescope::engine

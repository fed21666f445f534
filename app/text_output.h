// Results as text for people. Warnings are not in it: they go to standard error.
#pragma once

#include "engine/inspect_job.h"
#include "engine/run_job.h"
#include "engine/split_job.h"
#include "json_output.h"
#include "terminal.h"

#include <string>

namespace pipescope::app {

enum class Detail {
    Short, ///< like siblings are folded, split points at module boundaries only
    All,
};

[[nodiscard]] std::string inspectText(const report::Inspection &inspection, Detail detail, const Terminal &terminal);
[[nodiscard]] std::string runText(const report::RunReport &report, const WrittenFiles &written,
                                  const Terminal &terminal);
[[nodiscard]] std::string savedText(const report::SplitReport &report, const Terminal &terminal);
/// The two answers only.
[[nodiscard]] std::string checkText(const report::RunReport &report, const Terminal &terminal);

/// The stage table, with the columns that a run fills where there was one.
[[nodiscard]] std::string stageTable(const std::vector<report::StageReport> &stages);
/// One line for each parameter that several stages keep a copy of.
[[nodiscard]] std::string tiesText(const std::vector<partition::Tie> &ties);

} // namespace pipescope::app

// Results as text for people. Warnings are not in it: they go to standard error.
#pragma once

#include "engine/inspect_job.h"
#include "engine/split_job.h"
#include "json_output.h"
#include "plan/stage_files.h"
#include "report/traced_run.h"
#include "terminal.h"
#include "trace/explain/explanation.h"
#include "trace/trace_stats.h"
#include "usual_bubbles.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pipescope::app {

enum class Detail {
    Short, ///< like siblings are folded, split points at module boundaries only
    All,
};

[[nodiscard]] std::string inspectText(const report::Inspection &inspection, Detail detail, const Terminal &terminal);
[[nodiscard]] std::string runText(const report::TracedRun &report, const WrittenFiles &written,
                                  const Terminal &terminal, std::size_t bubbles = UsualBubbles);
[[nodiscard]] std::string savedText(const report::SplitReport &report, const Terminal &terminal);
/// The two answers only.
[[nodiscard]] std::string checkText(const report::RunReport &report, const Terminal &terminal);

/// Of the files beside the plan; "" where there are none.
[[nodiscard]] std::string stageFilesText(const std::optional<plan::StageFiles> &files, const Terminal &terminal);

/// "sr=16000, mode='sum'".
[[nodiscard]] std::string inputTexts(const std::vector<plan::InputSpec> &inputs);
/// "1 stage", "3 stages".
[[nodiscard]] std::string counted(std::size_t count, std::string_view noun);
/// The stage table, with the columns that a run fills where there was one.
[[nodiscard]] std::string stageTable(const std::vector<report::StageReport> &stages);
/// One line for each parameter that several stages keep a copy of.
[[nodiscard]] std::string tiesText(const std::vector<partition::Tie> &ties);
/// A line on the tensors that no stage uses, and where they are: "in no stage", "kept in stage0.pt". "" without any.
[[nodiscard]] std::string unusedText(const partition::UnusedTensors &unused, const std::string &method,
                                     const std::string &place);

/// A trace by itself: its timeline, where the time of its ranks went, its longest bubbles.
[[nodiscard]] std::string traceText(const trace::Explanation &explained, std::size_t bubbles, const Terminal &terminal);
[[nodiscard]] std::string timelineText(const trace::Trace &trace, const Terminal &terminal);
/// Where the time of each rank went. `devices` may be fewer.
[[nodiscard]] std::string rankTable(const trace::Stats &stats, const std::vector<std::string> &devices);
/// The longest bubbles with cause, chain and remedy, how many more there are, and an empty line; "" without any.
[[nodiscard]] std::string bubbleTable(const trace::Explanation &explained, std::size_t bubbles);
/// What follows the makespan: "; 1.003 of its bound, 57.8 ms".
[[nodiscard]] std::string boundText(const trace::Stats &stats);
[[nodiscard]] std::string bubbleShareText(const trace::Stats &stats);

} // namespace pipescope::app

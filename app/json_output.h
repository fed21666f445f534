// Results as JSON objects; docs/cli.md lists every key. Seconds are numbers, bytes whole numbers. What is unknown, was
// not asked for, or is no finite number is null.
#pragma once

#include "base/error.h"
#include "engine/inspect_job.h"
#include "engine/split_job.h"
#include "plan/stage_files.h"
#include "report/run_needs.h"
#include "report/traced_run.h"
#include "trace/explain/explanation.h"
#include "trace/trace_stats.h"
#include "usual_bubbles.h"

#include <cstddef>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace pipescope::app {

/// Files a run was told to write; "" for none.
struct WrittenFiles
{
    std::string trace;
    std::string plan;
};

[[nodiscard]] nlohmann::json toJson(const report::Inspection &inspection);
[[nodiscard]] nlohmann::json toJson(const report::TracedRun &report, const WrittenFiles &written,
                                    std::size_t bubbles = UsualBubbles);
[[nodiscard]] nlohmann::json toJson(const trace::Explanation &explained, std::size_t bubbles);
[[nodiscard]] nlohmann::json toJson(const report::SplitReport &report);
[[nodiscard]] nlohmann::json toJson(const report::RunNeeds &needs);
/// null where there are none.
[[nodiscard]] nlohmann::json toJson(const std::optional<plan::StageFiles> &files);
[[nodiscard]] nlohmann::json errorJson(const Error &error, const std::vector<std::string> &warnings);

/// The keys that a run and a trace have in common. `devices` may be fewer than ranks.
void addStats(nlohmann::json &object, const trace::Stats &stats, const std::vector<std::string> &devices);
void addBubbles(nlohmann::json &object, const trace::Explanation &explained, std::size_t bubbles);

/// Indented; bytes that are no UTF-8 (file names, say) are replaced.
[[nodiscard]] std::string toText(const nlohmann::json &object);

/// The number, or null where it is not finite.
[[nodiscard]] nlohmann::json number(double value);
/// As they are written on the command line.
[[nodiscard]] nlohmann::json textsJson(const std::vector<plan::InputSpec> &inputs);
/// The text, or null where it is empty.
[[nodiscard]] nlohmann::json textOrNull(const std::string &text);

} // namespace pipescope::app

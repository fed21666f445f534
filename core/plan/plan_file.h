// Plans as JSON files. Versioned; unknown keys are refused by name, so that a typo is not silently a default; every error
// says key and what was expected (docs/plan-format.md).
#pragma once

#include "plan/plan.h"

#include <filesystem>
#include <string>
#include <string_view>

namespace pipescope::plan {

inline constexpr int PlanVersion = 1;

[[nodiscard]] std::string toJson(const Plan &plan);
/// Error: InvalidFile with the JSON path ("inputs[1].value") as `where`; a newer version is named as such.
Result<Plan> parsePlan(std::string_view json);

/// Reads and validates; the model's path becomes absolute or relative to the current folder. At most 16 MiB.
Result<Plan> loadPlan(const std::filesystem::path &path);
/// Writes with the model's path relative to the plan's folder where both are on one file system.
Status savePlan(const Plan &plan, const std::filesystem::path &path);

/// Whether a file's first bytes look like a plan (a JSON object naming pipescopePlan) rather than a model.
[[nodiscard]] bool looksLikePlan(const std::filesystem::path &path);

} // namespace pipescope::plan

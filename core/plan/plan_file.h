// Plans as JSON files. Versioned; unknown keys are refused by name, so that a typo is not silently a default; every
// error says key and what was expected (docs/plan-format.md).
#pragma once

#include "plan/plan.h"

#include <filesystem>
#include <string>
#include <string_view>

namespace pipescope::plan {

inline constexpr int PlanVersion = 1;

/// Whether JSON can hold all text of a plan, complete or not: toJson() changes other text without a word. Error:
/// InvalidArgument as validatePlan, "model: '/tmp/m\xff.pt' is not UTF-8, which a plan cannot hold".
Status checkWritable(const Plan &plan);
/// All keys but the tolerances, specialised, outputChunks, modelSha256 and model where the plan has none, in a fixed
/// order.
[[nodiscard]] std::string toJson(const Plan &plan);
/// Reads and validates; keys that are left out have their defaults. No key twice, and no path is touched.
/// Error: InvalidFile with the JSON path ("inputs[1]") as `where`; a newer version is named as such.
Result<Plan> parsePlan(std::string_view json);
/// parsePlan of a plan that need not be complete: validatePlan is not asked.
Result<Plan> parseDraft(std::string_view json);

/// parsePlan of a file of at most 16 MiB. Relative paths in it (model, operator libraries, input files, a schedule's
/// CSV) are relative to the plan's folder, and become absolute. Error: as parsePlan, with the file's name in the
/// message.
Result<Plan> loadPlan(const std::filesystem::path &path);
/// Validates and writes, with the paths relative to the plan's folder where they are on its file system, else absolute.
/// An operator library that is a bare name and no file here stays as it is, for the loader to find. Errors:
/// InvalidArgument as validatePlan; WriteFailed.
Status savePlan(const Plan &plan, const std::filesystem::path &path);

/// Whether a file's beginning looks like a plan (a JSON object naming pipescopePlan) rather than a model.
[[nodiscard]] bool looksLikePlan(const std::filesystem::path &path);

} // namespace pipescope::plan

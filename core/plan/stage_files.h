// Whether the files that split wrote beside a plan are still those: a check runs the model itself, and would say
// nothing of them.
#pragma once

#include "plan/plan.h"

#include <filesystem>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace pipescope::plan {

struct StageFiles
{
    enum class Answer {
        AsWritten, ///< every file has the hash that stages.json gives
        Changed,   ///< one has not, or is missing, or stages.json is damaged
        Unknown,   ///< they were not looked at
    };
    Answer answer = Answer::AsWritten;
    std::vector<std::string> files; ///< their names in the folder, by stage
    std::string explanation;        ///< what has changed, or why they were not looked at; "" where they are as written
};

/// Of the stages.json in the folder of the plan's file: nullopt where there is none. `plan` has everything decided: its
/// splits are stable names, as report::splitWords gives them, and its modelSha256 is that of the model as it is now.
/// Files of another model or method, specialised for other inputs or split elsewhere are not looked at, nor are those
/// of a stages.json that does not say of which model they are or has no hashes. Reads the files whole. Error:
/// Cancelled.
Result<std::optional<StageFiles>> checkStageFiles(const std::filesystem::path &planFile, const Plan &plan,
                                                  const std::stop_token &stop = {});

} // namespace pipescope::plan

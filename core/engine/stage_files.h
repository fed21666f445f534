// Whether the files that split wrote beside a plan are still those: a check runs the model itself, and would say
// nothing of them.
#pragma once

#include "base/result.h"

#include <filesystem>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace pipescope::engine {

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

/// Of the stages.json in the plan's folder: nullopt where there is none. Files of other splits than `splits` (stable
/// names, as report::splitWords gives them) are not looked at, nor are those of a stages.json without hashes. Reads the
/// files whole. Error: Cancelled.
Result<std::optional<StageFiles>> checkStageFiles(const std::filesystem::path &plan,
                                                  const std::vector<std::string> &splits,
                                                  const std::stop_token &stop = {});

} // namespace pipescope::engine

// What splitting a model into files made, as plain values.
#pragma once

#include "partition/held_uses.h"
#include "partition/partition.h"
#include "plan/plan.h"
#include "report/stage_report.h"

#include <string>
#include <vector>

namespace pipescope::report {

/// What becomes of the tensors that no stage uses.
enum class Unused {
    LeftOut, ///< they are in no file
    Kept,    ///< they are where partition::keepUnused puts them
};

/// One stage's file, as exec/save_stage.h describes it.
struct StageFile
{
    std::string file; ///< name inside the folder
    std::vector<std::string> inputs;
    std::vector<std::string> outputs;
    std::vector<std::string> parameters;
    std::string sha256; ///< of the bytes that were written, in lower-case hexadecimal

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
    partition::UnusedTensors unused; ///< in no file, unless they were to be kept
    std::vector<std::string> warnings;

    friend bool operator==(const SplitReport &, const SplitReport &) = default;
};

} // namespace pipescope::report

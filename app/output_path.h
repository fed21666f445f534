// Whether results can be written where the user wants them, asked before the long work and not after it.
#pragma once

#include "base/result.h"

#include <string>
#include <string_view>
#include <vector>

namespace pipescope::app {

struct OutputPath
{
    std::string_view option; ///< "--trace"
    std::string path;        ///< "" when not asked for
};

/// Checks that each file can be made or replaced, that no two are the same, and that none is one of `inputs`.
/// Error: WriteFailed naming option, path and reason.
Status checkOutputFiles(const std::vector<OutputPath> &outputs, const std::vector<std::string> &inputs);

/// Checks that a folder exists and can be written to, or can be made, and that none of `inputs` would be written over
/// by the files `split` makes.
Status checkOutputFolder(const OutputPath &folder, const std::vector<std::string> &inputs);

} // namespace pipescope::app

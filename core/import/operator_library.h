// Shared libraries that register operators and classes with LibTorch when they are opened.
#pragma once

#include "base/result.h"

#include <filesystem>

namespace pipescope::import {

/// Opens a library and keeps it open to the end of the process. A name without a folder is looked for in the current
/// folder first. Errors: NotFound; InvalidFile with the loader's reason.
Status loadOperatorLibrary(const std::filesystem::path &path);

} // namespace pipescope::import

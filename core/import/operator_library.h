// Shared libraries that register operators and classes with LibTorch when they are opened.
#pragma once

#include "base/result.h"

#include <filesystem>

namespace pipescope::import {

/// Opens a library and keeps it open to the end of the process. A name without a folder is looked for in the current
/// folder first. One that was built for CUDA and needs LibTorch's GPU half (libtorch.so, libtorch_cuda.so,
/// libc10_cuda.so) opens where LibTorch has none: its operators run on the CPU, and what asks for CUDA is told that
/// there is none. Errors: NotFound; InvalidFile with the loader's reason.
Status loadOperatorLibrary(const std::filesystem::path &path);

} // namespace pipescope::import

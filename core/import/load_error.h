// LibTorch's reasons for refusing a model file, told so that a user can act on them.
#pragma once

#include "base/result.h"

#include <filesystem>

namespace pipescope::import {

/// `thrown` is what torch::jit::load threw, as an Error. Gives Unsupported for operators and classes this LibTorch does
/// not know (naming all operators of the file that are unknown, and what loads them) and for archives newer than it;
/// ModelFailed where code of the file itself failed while it was loaded; InvalidFile with the place in the archive for
/// the rest. The text of LibTorch stays in `details`.
[[nodiscard]] Error loadError(const Error &thrown, const std::filesystem::path &path);

} // namespace pipescope::import

// What to tell someone who opens a file that is not a TorchScript model: what it is, and how to get a model from it.
#pragma once

#include "import/load.h"

#include <string_view>

namespace pipescope::import {

/// Whether files of this kind hold a TorchScript model with its code.
[[nodiscard]] bool hasModel(FileKind kind);

/// Whether a file of this name in an archive may be a model: "model.pt", "vit.ptl".
[[nodiscard]] bool isModelName(std::string_view name);

/// InvalidFile for a kind that hasModel() denies.
[[nodiscard]] Error notAModel(FileKind kind, const std::filesystem::path &path);

} // namespace pipescope::import

// The pickled attribute tree of an archive as modules and tensors with their dotted names, as describe_modules.h gives
// them for a loaded model.
#pragma once

#include "import/archive/archive_content.h"
#include "import/structure_only.h"

namespace pipescope::import {

inline constexpr int MaxModuleDepth = 64;
inline constexpr std::size_t MaxModules = 1'000'000;

/// Fills modelClass, modules, parameters, and notes on what its own class has packed.
/// Error: InvalidFile when the root is no module, or past the limits above.
Status describeTree(const ArchiveContent &content, Structure &structure);

} // namespace pipescope::import

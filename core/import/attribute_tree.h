// The pickled attribute tree of an archive as modules and tensors with their dotted names, as describe_modules.h gives
// them for a loaded model.
#pragma once

#include "import/archive/archive_content.h"
#include "import/structure_only.h"

#include <stop_token>

namespace pipescope::import {

/// One object of a file can be held in many places, so these bound what is described and not what the file has.
struct TreeLimits
{
    int depth = 64; ///< of modules in modules; deeper ones are left out, with a note
    std::size_t modules = 1'000'000;
    std::size_t parameters = 1'000'000;       ///< buffers and tied names included
    std::size_t attributes = 10'000'000;      ///< looked at
    std::size_t nameBytes = 512ULL << 20;     ///< of all dotted names and class names together
    std::size_t nameBytesOfAny = 64ULL << 20; ///< of them in a small file; a larger one may have more
};

/// Fills modelClass, modules, parameters, and notes on what its own class has packed.
/// Errors: InvalidFile when the root is no module, or past `limits`; Cancelled when `stop` is requested.
Status describeTree(const ArchiveContent &content, Structure &structure, const std::stop_token &stop = {},
                    const TreeLimits &limits = {});

} // namespace pipescope::import

// How large types become when they are written out. A NamedTuple is compared and printed by its fields, and theirs by
// their fields: LibTorch walks all of it at every use, and twenty-eight NamedTuples with two fields of the one before
// have a quarter of a thousand million parts.
#pragma once

#include "archive/code_listing.h"
#include "base/result.h"

namespace pipescope::archive {

inline constexpr int MaxTypeParts = 10'000; ///< names in a NamedTuple's type, written out
inline constexpr int MaxTypeDepth = 200;    ///< NamedTuples in NamedTuples

/// Error: InvalidFile naming the NamedTuple that is too large or too deep.
Status checkTypeSizes(const CodeListing &listing);

} // namespace pipescope::archive

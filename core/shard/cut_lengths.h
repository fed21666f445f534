// The lengths that parts of a tensor dimension have over all ranks, without going through the ranks.
#pragma once

#include "shard/layout.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace pipescope::shard {

/// The different lengths of a tensor dimension over all ranks when only its first `cuts` cuts are made, ascending.
/// Takes time with the sizes of the mesh dimensions that cut, and with the few lengths that each cut makes.
[[nodiscard]] std::vector<std::int64_t> lengthsAfter(const Layout &layout, int tensorDim, std::size_t cuts);

/// The most that a rank has of the tensor dimension.
[[nodiscard]] std::int64_t longest(const Layout &layout, int tensorDim);

/// Whether the tensor dimension's last `cuts` cuts give every rank the length that one plain cut in as many parts would
/// give it, the parts counted row by row over the mesh dimensions in the order of the cuts. Where they do, nested parts
/// and the parts of one cut are the same.
[[nodiscard]] bool lastCutsAreOne(const Layout &layout, int tensorDim, std::size_t cuts);

} // namespace pipescope::shard

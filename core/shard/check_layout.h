// What Layout::make() checks and puts in one form, request by request. Private to shard/.
#pragma once

#include "base/dtype.h"
#include "base/result.h"
#include "shard/layout.h"

#include <string_view>

namespace pipescope::shard {

/// The dtype of that name, alias or abbreviation.
Result<const Dtype *> checkDtype(std::string_view word);

/// Sizes and strides.
Status checkShape(const LayoutRequest &request, int itemSize);

/// After checkShape(): the placements fit the mesh and the tensor, and their dimensions are not negative any more.
Status normalizePlacements(LayoutRequest &request);

/// After normalizePlacements(): the entries are ascending, and only those that do not say "from the left" are left.
Status normalizeOrder(LayoutRequest &request);

} // namespace pipescope::shard

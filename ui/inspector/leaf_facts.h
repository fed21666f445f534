// The numbers of one tensor, in words.
#pragma once

#include "inspector/fact_sheet.h"
#include "inspector/histogram.h"
#include "report/tensor_statistics.h"

namespace pipescope::inspector {

/// Shape, mean, std, range, NaN and Inf, zeros: what is absent for an empty or a not finite tensor is left out.
[[nodiscard]] std::vector<Fact> leafFacts(const report::LeafStatistics &leaf);
/// No bins where the engine made none.
[[nodiscard]] Bins binsOf(const report::LeafStatistics &leaf);

} // namespace pipescope::inspector

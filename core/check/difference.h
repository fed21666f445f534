// tensor::Comparison as the plain values of a report.
#pragma once

#include "report/comparison.h"
#include "tensor/compare.h"

namespace pipescope::check {

[[nodiscard]] report::Difference toDifference(const tensor::Comparison &comparison);

/// The worse of both: errors and verdicts are those of either.
[[nodiscard]] report::Difference worse(const report::Difference &a, const report::Difference &b);

} // namespace pipescope::check

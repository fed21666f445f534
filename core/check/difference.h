// tensor::Comparison as the plain values of a report.
#pragma once

#include "check/report.h"
#include "tensor/compare.h"

namespace pipescope::check {

[[nodiscard]] Difference toDifference(const tensor::Comparison &comparison);

/// The worse of both: errors and verdicts are those of either.
[[nodiscard]] Difference worse(const Difference &a, const Difference &b);

} // namespace pipescope::check

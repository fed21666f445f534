// tensor::Comparison as the plain values of a report.
#pragma once

#include "report/comparison.h"
#include "tensor/compare.h"

namespace pipescope::check {

[[nodiscard]] report::Difference toDifference(const tensor::Comparison &comparison);

/// Whether `b` says more against equality than `a` does.
[[nodiscard]] bool isWorse(const report::Difference &b, const report::Difference &a);

/// The worse of both: errors and verdicts are those of either.
[[nodiscard]] report::Difference worse(const report::Difference &a, const report::Difference &b);

} // namespace pipescope::check

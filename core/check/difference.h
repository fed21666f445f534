// tensor::Comparison as the plain values of a report.
#pragma once

#include "check/equivalence.h"
#include "report/comparison.h"
#include "tensor/compare.h"

namespace pipescope::check {

/// Whether the split model's value is the unsplit one's: bit for bit, or, where the user gave tolerances, within these.
[[nodiscard]] bool isEqual(const tensor::Comparison &comparison, const CheckOptions &options);

[[nodiscard]] report::Difference toDifference(const tensor::Comparison &comparison, const CheckOptions &options);

/// Whether `b` says more against equality than `a` does.
[[nodiscard]] bool isWorse(const report::Difference &b, const report::Difference &a);

/// The worse of both: errors and verdicts are those of either.
[[nodiscard]] report::Difference worse(const report::Difference &a, const report::Difference &b);

} // namespace pipescope::check

// Measures how much the model's outputs move when only the last bits of its numbers change. A smaller difference
// proves nothing.
#pragma once

#include "check/equivalence.h"

namespace pipescope::check {

/// The elements that move up by one unit in the last place; the others move down. The pattern is fixed, so the figure
/// is the same every time.
enum class NoisePattern {
    EvenUp,
    OddUp,
    EvenUpFar, ///< like EvenUp, sixteen times as far: noise that does not grow then does not come from rounding
};

/// Runs the whole batch once with moved numbers and returns the outputs in the graph's order. Floating-point arguments
/// move by one unit in the last place. Without any, the first floating-point results move. Results of matrix products,
/// convolutions and the like move too, because kernels sum them in another order for another number of rows: by an
/// eighth of the square root of their number of terms, but at least one unit, at the size that sums of the same feature
/// have (algorithms.md 6.1). Whole numbers, infinities and NaNs do not move: they count as exact, and a step function
/// may depend on them. Parameters do not move. State is put back. Errors: the model's own; Cancelled.
Result<std::vector<c10::IValue>> movedOutputs(const import::ImportedModel &model,
                                              const std::vector<c10::IValue> &arguments, NoisePattern pattern,
                                              const CheckOptions &options, std::stop_token stop = {});

} // namespace pipescope::check

// How much the model's outputs move when nothing but the last bit of its numbers does: below that, a difference says
// nothing.
#pragma once

#include "check/equivalence.h"

namespace pipescope::check {

/// Which elements move up by one unit in the last place; the others move down. Fixed, so that the figure is the same
/// every time.
enum class NoisePattern {
    EvenUp,
    OddUp,
    EvenUpFar, ///< as EvenUp, sixteen times as far: what does not grow by that is no noise of rounding
};

/// The outputs of one run of the whole batch, in the graph's order, in which numbers move by one unit in the last
/// place: those of floating-point arguments, or, where there are none, what first becomes floating point; and what
/// products of matrices, convolutions and the like give, which are summed in another order for another number of rows:
/// these by an eighth of the root of the number of their terms, where that is more, and by the size that sums of the
/// same feature have (algorithms.md 6.1). Whole numbers,
/// infinities and NaNs stay: they are taken to be exact, and a step may stand on them. Parameters stay too. State is
/// put back. Errors: what the model fails with; Cancelled.
Result<std::vector<c10::IValue>> movedOutputs(const import::ImportedModel &model,
                                              const std::vector<c10::IValue> &arguments, NoisePattern pattern,
                                              const CheckOptions &options, std::stop_token stop = {});

} // namespace pipescope::check

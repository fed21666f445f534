// How much the model's outputs move when nothing but the last bit of what goes in does: below that, a difference says
// nothing.
#pragma once

#include "check/equivalence.h"

namespace pipescope::check {

/// Largest absolute change of any output element when every floating-point argument element moves by one unit in the
/// last place, up or down by a fixed pattern (parameters, where no argument is floating point). `outputs` are the
/// unmoved run's. State is put back. 0 when there is nothing to move.
Result<double> noiseFloor(const import::ImportedModel &model, const std::vector<c10::IValue> &arguments,
                          const std::vector<c10::IValue> &outputs, const CheckOptions &options,
                          std::stop_token stop = {});

} // namespace pipescope::check

// How much the model's outputs move when nothing but the last bit of what goes in does: below that, a difference says
// nothing.
#pragma once

#include "check/equivalence.h"

namespace pipescope::check {

/// For each leaf of the outputs, in the order of tensor/ivalue_tree.h and one output after another: the largest
/// absolute change of any element when every floating-point argument element moves by one unit in the last place, up or
/// down by a fixed pattern (parameters, where no argument is floating point). 0 where nothing moves and for leaves that
/// are no floating-point or complex tensors. `outputs` are the unmoved run's. State is put back.
Result<std::vector<double>> noiseFloors(const import::ImportedModel &model, const std::vector<c10::IValue> &arguments,
                                        const std::vector<c10::IValue> &outputs, const CheckOptions &options,
                                        std::stop_token stop = {});

} // namespace pipescope::check

// The parts of an input spec that are of numbers: the numbers themselves, and a tensor's sizes, range and seed.
// Private to plan/.
#pragma once

#include "base/result.h"
#include "base/spec_reader.h"
#include "plan/dtypes.h"
#include "plan/input_spec.h"

#include <string_view>

namespace pipescope::plan {

/// `text` is what the reader has just taken as a number; errors (InvalidArgument) name its column. An integer where it
/// is written as one, else a float.
Result<InputValue> readNumber(const SpecReader &reader, std::string_view text);

/// What follows the dtype's word: `[2,3]`, a range and a seed. Errors as parseInputSpec.
Result<TensorSpec> readTensorSpec(SpecReader &reader, const DtypeWord &dtype);

} // namespace pipescope::plan

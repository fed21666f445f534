// Values fitted to the types TorchScript declares: an int where a float is wanted becomes one, lists get their types.
#pragma once

#include "base/result.h"

#include <ATen/core/ivalue.h>
#include <string>

namespace pipescope::tensor {

/// `value` as something of the declared type, or the reason why it is none: "must be List[Tensor], got int (3)", with
/// the place inside the value as `where` ("[1]['mask']"). Types this program does not know (classes) take any value;
/// the model itself is the judge.
Result<c10::IValue> fitType(const c10::IValue &value, const std::string &declared);

/// What to write on the command line for a declared type: "float32[2,3]", "1", "[float32[2,3]]".
[[nodiscard]] std::string exampleOf(const std::string &declared);

} // namespace pipescope::tensor

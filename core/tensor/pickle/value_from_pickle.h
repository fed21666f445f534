// The value a pickle stands for: containers, numbers, text and tensors. Everything else is refused by name.
#pragma once

#include "base/result.h"
#include "tensor/pickle/pickle.h"
#include "tensor/pickle/tensor_from_pickle.h"

#include <ATen/core/ivalue.h>

namespace pipescope::tensor {

/// At most 64 levels deep and a million values, things used twice counted twice. A dtype becomes its number, as in
/// TorchScript. Errors: InvalidFile, or Unsupported for what a value cannot be: "it wants to call 'os.system' ...".
Result<c10::IValue> valueFromPickle(const Pickle &pickle, const StorageReader &storages);

} // namespace pipescope::tensor

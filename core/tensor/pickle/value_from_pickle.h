// The value a pickle stands for: containers, numbers, text and tensors. Everything else is refused by name.
#pragma once

#include "archive/pickle_tree.h"
#include "base/result.h"
#include "tensor/pickle/tensor_from_pickle.h"

#include <ATen/core/ivalue.h>

namespace pipescope::tensor {

/// `tree` is one of torch.save's. At most 64 levels deep and a million values, things used twice counted twice. A dtype
/// becomes its number, as in TorchScript. Errors: InvalidFile, or Unsupported for what a value cannot be: "it wants to
/// call 'os.system' ...".
Result<c10::IValue> valueFromPickle(const archive::PickleTree &tree, const StorageReader &storages);

} // namespace pipescope::tensor

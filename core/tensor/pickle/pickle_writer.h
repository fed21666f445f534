// Values as torch.save pickles them, which torch.load(weights_only=True) accepts.
#pragma once

#include <ATen/core/ivalue.h>
#include <string>
#include <vector>

namespace pipescope::tensor {

struct WrittenPickle
{
    std::string bytes;               ///< the record data.pkl
    std::vector<at::Tensor> tensors; ///< record data/0, data/1, ...: contiguous, on the CPU
};

/// Tensors (dense, not quantized), numbers, text, None and containers of these; anything else is written as None. Views
/// are written as what they show, gradients' requirement is not. Throws what LibTorch throws when memory runs out.
[[nodiscard]] WrittenPickle writePickle(const c10::IValue &value);

} // namespace pipescope::tensor

// Two tensors compared, and what kind of difference it is; compare.cpp walks the trees they come from.
#pragma once

#include "tensor/compare.h"

#include <ATen/core/TensorBody.h>

namespace pipescope::tensor {

/// The tensor as dense numbers on the CPU, which is what is compared: sparse and mkldnn layouts unfolded, quantized
/// values as the numbers they stand for. LibTorch's exceptions pass through.
[[nodiscard]] at::Tensor plain(const at::Tensor &tensor);

/// Both defined. `worst` starts with the place inside the tensor: "at (3, 17): expected 1.5, got 2.5".
[[nodiscard]] Comparison compareTensors(const at::Tensor &expected, const at::Tensor &actual,
                                        std::optional<Tolerance> tolerance);

} // namespace pipescope::tensor

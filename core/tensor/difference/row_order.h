// Whether two tensors hold the same rows in different orders.
#pragma once

#include "tensor/compare.h"

#include <ATen/core/TensorBody.h>

namespace pipescope::tensor {

/// Rows along dimension 0, at least two; equal within `tolerance` after reordering. Dense tensors on the CPU of the
/// same shape and dtype without NaN.
[[nodiscard]] bool sameRowsReordered(const at::Tensor &expected, const at::Tensor &actual, Tolerance tolerance);

} // namespace pipescope::tensor

// Tensors of random numbers that depend on a key only.
#pragma once

#include "base/result.h"
#include "plan/input_spec.h"

#include <ATen/core/TensorBody.h>
#include <cstdint>

namespace pipescope::tensor {

/// A tensor as plan::TensorSpec describes it; `key` stands for all that the numbers depend on. Does not touch
/// LibTorch's own generator. Errors (InvalidArgument): unknown dtype with the nearest, quantized dtype, a range that is
/// empty or does not fit the dtype, more than 2^40 elements, out of memory.
Result<at::Tensor> randomTensor(const plan::TensorSpec &spec, std::uint64_t key);

/// A key made of two numbers; well mixed, so that neighbours do not give related tensors (splitmix64's finalizer).
[[nodiscard]] std::uint64_t mixKey(std::uint64_t key, std::uint64_t number);

} // namespace pipescope::tensor

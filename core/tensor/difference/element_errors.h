// One pass over two tensors of the same shape and dtype: the sums and extremes every measure of their difference needs.
#pragma once

#include "tensor/compare.h"

#include <ATen/core/TensorBody.h>
#include <cstdint>

namespace pipescope::tensor {

struct ElementErrors
{
    bool bitwise = true;
    bool close = true;
    bool finite = true; ///< no NaN and no infinity that differs
    double maxAbs = 0;
    double maxRel = 0;
    double maxExpected = 0;     ///< largest finite |expected|
    double squaredError = 0;    ///< sum of |a - b|^2
    double squaredExpected = 0; ///< sums over finite pairs, as are the next two
    double squaredActual = 0;
    double product = 0;           ///< sum of expected * actual (real part)
    std::int64_t nonZero = 0;     ///< elements of `expected` that are not 0
    std::int64_t worstIndex = -1; ///< of maxAbs, in row-major order

    /// ||a - b|| / ||expected||; 0 where nothing differs.
    [[nodiscard]] double relL2() const;
};

/// Tensors on the CPU, dense, not quantized. Reads them in blocks, so that no whole copy in another dtype is made.
[[nodiscard]] ElementErrors elementErrors(const at::Tensor &expected, const at::Tensor &actual, Tolerance tolerance);

} // namespace pipescope::tensor

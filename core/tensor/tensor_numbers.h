// Counts and moments of the numbers in a tensor.
#pragma once

#include "base/result.h"
#include "report/tensor_statistics.h"

#include <ATen/core/TensorBody.h>
#include <stop_token>

namespace pipescope::tensor {

/// Bins of a histogram, where the numbers are not all equal.
inline constexpr int HistogramBins = 64;

/// Everything of LeafStatistics but the path. Goes through the tensor piece by piece, twice, so that it needs little
/// memory however large it is (a quantized tensor with a scale for each channel excepted). Sums are kept in more than
/// double precision. Where all finite numbers are equal, the histogram is one bin. Errors: Unsupported, in words, for
/// tensors that are not strided, and dtypes without a conversion to double; Cancelled.
Result<report::LeafStatistics> numbersOf(const at::Tensor &tensor, const std::stop_token &stop = {});

} // namespace pipescope::tensor

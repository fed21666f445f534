// Whether microbatch values, put side by side, are the whole batch's value.
#pragma once

#include <ATen/core/ivalue.h>
#include <vector>

namespace pipescope::check {

enum class RowRelation {
    Joined,     ///< concatenated along one dimension they have the whole value's shape
    Replicated, ///< every microbatch has the whole value's shape, 0-dim values too
    Neither,    ///< no dimension fits
};

struct Rows
{
    RowRelation relation = RowRelation::Neither;
    int dim = 0; ///< of Joined
    /// What must be the whole value, contents included: of Joined the one joined tensor (the whole itself where that is
    /// the same bit for bit), of Replicated every microbatch's.
    std::vector<at::Tensor> compared;
};

/// How tensors of the microbatches relate to the whole batch's, by their shapes and dtypes. Where several dimensions
/// fit the first one does.
[[nodiscard]] Rows relate(const at::Tensor &whole, const std::vector<at::Tensor> &parts);

/// How two tensors of one shape and dtype differ, for finding out where rows start to depend on each other.
struct RowDifference
{
    double maxAbs = 0; ///< infinity where NaNs or infinities differ
    bool real = false; ///< beyond what other kernels for other shapes would round, as tensor/compare.h tells rounding
};

[[nodiscard]] RowDifference compareRows(const at::Tensor &expected, const at::Tensor &actual);

} // namespace pipescope::check

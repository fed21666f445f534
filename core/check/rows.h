// Whether microbatch values, put side by side, are the whole batch's value.
#pragma once

#include <ATen/core/ivalue.h>
#include <string>
#include <vector>

namespace pipescope::check {

enum class RowRelation {
    Joined, ///< concatenated along one dimension they have the whole value's shape; compare decides about the contents
    Replicated, ///< every microbatch has the whole value's shape
    Neither,    ///< no dimension fits
};

struct Rows
{
    RowRelation relation = RowRelation::Neither;
    int dim = 0;       ///< of Joined
    at::Tensor joined; ///< of Joined; of Replicated the first microbatch's
};

/// How tensors of the microbatches relate to the whole batch's. Where several dimensions fit the first one does.
[[nodiscard]] Rows relate(const at::Tensor &whole, const std::vector<at::Tensor> &parts);

/// How two tensors of one shape differ, for finding out where rows start to depend on each other: rounding is told from
/// real differences by the relative L2 distance.
struct RowDifference
{
    double relL2 = 0;
    double maxAbs = 0;
    bool real = false; ///< beyond what other kernels for other shapes would round
};

[[nodiscard]] RowDifference compareRows(const at::Tensor &expected, const at::Tensor &actual);

} // namespace pipescope::check

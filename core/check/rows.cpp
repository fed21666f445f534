#include "check/rows.h"

#include "tensor/difference/compare_tensors.h"

#include <ATen/ATen.h>
#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>

namespace pipescope::check {

namespace {

bool fits(const at::Tensor &whole, const std::vector<at::Tensor> &parts, std::int64_t dim)
{
    std::int64_t rows = 0;
    for (const at::Tensor &part : parts) {
        if (part.dim() != whole.dim() || part.scalar_type() != whole.scalar_type())
            return false;
        for (std::int64_t d = 0; d < whole.dim(); ++d)
            if (d != dim && part.size(d) != whole.size(d))
                return false;
        rows += part.size(dim);
    }
    return rows == whole.size(dim);
}

// Bit for bit: then nothing has to be put together, which may take as much memory as anything there is.
bool areRowsOf(const at::Tensor &whole, const std::vector<at::Tensor> &parts, std::int64_t dim)
{
    const auto isDense = [](const at::Tensor &tensor) {
        return tensor.layout() == at::kStrided && !tensor.is_nested() && !tensor.is_quantized();
    };
    std::int64_t begin = 0;
    return isDense(whole) && std::all_of(parts.begin(), parts.end(), [&](const at::Tensor &part) {
               const std::int64_t rows = part.size(dim);
               const at::Tensor there = whole.narrow(dim, std::exchange(begin, begin + rows), rows);
               return isDense(part) && tensor::compareTensors(there, part, std::nullopt).bitwise;
           });
}

} // namespace

Rows relate(const at::Tensor &whole, const std::vector<at::Tensor> &parts)
{
    for (std::int64_t dim = 0; dim < whole.dim(); ++dim)
        if (fits(whole, parts, dim))
            return {RowRelation::Joined,
                    static_cast<int>(dim),
                    {areRowsOf(whole, parts, dim) ? whole : at::cat(parts, dim)}};
    const bool same = std::all_of(parts.begin(), parts.end(), [&](const at::Tensor &part) {
        return part.sizes() == whole.sizes() && part.scalar_type() == whole.scalar_type();
    });
    if (same)
        return {RowRelation::Replicated, 0, parts};
    return {};
}

RowDifference compareRows(const at::Tensor &expected, const at::Tensor &actual)
{
    // No tolerance: how small a value is says nothing of how much of it is rounding.
    const tensor::Comparison comparison = tensor::compareTensors(expected, actual, tensor::Tolerance{});
    return {comparison.maxAbsError, comparison.difference > tensor::Difference::Rounding};
}

} // namespace pipescope::check

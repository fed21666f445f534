#include "tensor/difference/row_order.h"

#include "tensor/difference/element_errors.h"

#include <ATen/Functions.h>
#include <ATen/TensorOperators.h>
#include <algorithm>
#include <cstdint>

namespace pipescope::tensor {

namespace {

constexpr std::int64_t SortedElements = 1 << 20;

std::int64_t rowsPerBlock(const at::Tensor &rows)
{
    return std::max<std::int64_t>(1, SortedElements / std::max<std::int64_t>(1, rows.size(1)));
}

/// The order that sorts the rows by a weighted sum. Weights are irregular, so that rows with the same sum are the same
/// row but for bad luck, which the comparison afterwards sees.
at::Tensor sortedOrder(const at::Tensor &rows)
{
    const at::Tensor steps = at::arange(1, rows.size(1) + 1, at::TensorOptions(at::kDouble));
    const at::Tensor weights = at::frac(steps * 0.6180339887498949) + 0.5;
    const at::Tensor keys = at::empty({rows.size(0)}, at::TensorOptions(at::kDouble));
    const std::int64_t step = rowsPerBlock(rows);
    for (std::int64_t first = 0; first < rows.size(0); first += step) {
        const at::Tensor block = rows.slice(0, first, first + step).to(at::kDouble);
        keys.slice(0, first, first + step).copy_(at::sum(block * weights, 1));
    }
    return at::argsort(keys, /*stable=*/true);
}

at::Tensor asRows(const at::Tensor &tensor)
{
    at::Tensor plain = tensor.resolve_conj().resolve_neg();
    if (plain.is_complex())
        plain = at::view_as_real(plain);
    return plain.reshape({tensor.size(0), -1});
}

} // namespace

bool sameRowsReordered(const at::Tensor &expected, const at::Tensor &actual, Tolerance tolerance)
{
    if (expected.dim() == 0 || expected.numel() == 0 || expected.size(0) < 2)
        return false;
    const at::Tensor a = asRows(expected);
    const at::Tensor b = asRows(actual);
    const at::Tensor orderA = sortedOrder(a);
    const at::Tensor orderB = sortedOrder(b);
    const std::int64_t step = rowsPerBlock(a);
    for (std::int64_t first = 0; first < a.size(0); first += step) {
        const at::Tensor x = a.index_select(0, orderA.slice(0, first, first + step));
        const at::Tensor y = b.index_select(0, orderB.slice(0, first, first + step));
        if (!elementErrors(x, y, tolerance).close)
            return false;
    }
    return true;
}

} // namespace pipescope::tensor

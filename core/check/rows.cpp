#include "check/rows.h"

#include <ATen/ATen.h>
#include <algorithm>

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

// Relative L2 distances above this are no rounding: about a thousand times what re-ordered sums of usual lengths show
// (algorithms.md 6.1 measures 1e-7 to 9e-7 for float32).
double roundingLimit(at::ScalarType type)
{
    switch (type) {
    case at::kDouble:
    case at::kComplexDouble:
        return 1e-11;
    case at::kHalf:
    case at::kBFloat16:
        return 3e-2;
    default:
        return 1e-4;
    }
}

at::Tensor plain(const at::Tensor &tensor)
{
    const at::Tensor dense = tensor.is_quantized() ? tensor.dequantize() : tensor;
    return dense.detach();
}

} // namespace

Rows relate(const at::Tensor &whole, const std::vector<at::Tensor> &parts)
{
    for (std::int64_t dim = 0; dim < whole.dim(); ++dim)
        if (fits(whole, parts, dim))
            return {RowRelation::Joined, static_cast<int>(dim), at::cat(parts, dim)};
    const bool same = std::all_of(parts.begin(), parts.end(), [&](const at::Tensor &part) {
        return part.sizes() == whole.sizes() && part.scalar_type() == whole.scalar_type();
    });
    if (same)
        return {RowRelation::Replicated, 0, parts.front()};
    return {};
}

RowDifference compareRows(const at::Tensor &expected, const at::Tensor &actual)
{
    RowDifference difference;
    const at::Tensor a = plain(expected);
    const at::Tensor b = plain(actual);
    if (a.numel() == 0 || a.equal(b))
        return difference;
    if (!a.is_floating_point() && !a.is_complex()) {
        difference.maxAbs = (a.to(at::kDouble) - b.to(at::kDouble)).abs().max().item<double>();
        difference.relL2 = 1;
        difference.real = true;
        return difference;
    }
    const at::ScalarType wide = a.is_complex() ? at::kComplexDouble : at::kDouble;
    const at::Tensor wideA = a.to(wide);
    const at::Tensor wideB = b.to(wide);
    // NaN and infinity at the same places are no difference.
    const at::Tensor counted = at::isfinite(wideA).logical_or(at::isfinite(wideB));
    const at::Tensor delta = (wideA - wideB).masked_fill(counted.logical_not(), 0);
    difference.maxAbs = delta.abs().max().item<double>();
    const double norm = wideA.masked_fill(at::isfinite(wideA).logical_not(), 0).norm().item<double>();
    const double distance = delta.norm().item<double>();
    difference.relL2 = norm > 0 ? distance / norm : (distance > 0 ? 1 : 0);
    difference.real = !(difference.relL2 <= roundingLimit(a.scalar_type()));
    return difference;
}

} // namespace pipescope::check

#include "tensor/difference/compare_tensors.h"

#include "tensor/difference/element_errors.h"
#include "tensor/difference/row_order.h"
#include "tensor/ivalue_tree.h"

#include <ATen/Functions.h>
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <limits>
#include <optional>

namespace pipescope::tensor {

namespace {

/// Relative L2 distance that reordering sums or another kernel accounts for; far below what a wrong value gives.
double roundingLimit(at::ScalarType type)
{
    switch (c10::toRealValueType(type)) {
    case at::kDouble:
        return 1e-10;
    case at::kFloat:
        return 1e-4;
    case at::kHalf:
        return 1e-2;
    case at::kBFloat16:
        return 5e-2;
    default:
        return 0;
    }
}

Comparison unlike(Difference difference, const at::Tensor &expected, const at::Tensor &actual)
{
    constexpr double infinity = std::numeric_limits<double>::infinity();
    Comparison result{false, false, infinity, infinity, infinity, difference, 1, {}, {}};
    result.worst = fmt::format("expected {}, got {}", graph::toText(describeTensor(expected)),
                               graph::toText(describeTensor(actual)));
    return result;
}

std::string elementText(const at::Tensor &tensor, std::int64_t index)
{
    const at::Tensor element = tensor.reshape({-1})[index];
    if (element.is_complex()) {
        const c10::complex<double> value = element.item().toComplexDouble();
        return fmt::format("{:.9g}{:+.9g}j", value.real(), value.imag());
    }
    if (element.scalar_type() == at::kDouble)
        return fmt::format("{}", element.item().toDouble());
    if (element.is_floating_point())
        return fmt::format("{}", element.item().toFloat());
    return describeValue(c10::IValue(element.item()));
}

std::string placeText(const at::Tensor &tensor, std::int64_t index)
{
    if (tensor.dim() == 0)
        return {};
    std::vector<std::int64_t> place(static_cast<std::size_t>(tensor.dim()));
    for (std::int64_t dim = tensor.dim() - 1; dim >= 0; --dim) {
        place[static_cast<std::size_t>(dim)] = index % tensor.size(dim);
        index /= tensor.size(dim);
    }
    return fmt::format("at ({}{}): ", fmt::join(place, ", "), place.size() == 1 ? "," : "");
}

/// Least squares over actual = scale * expected; nothing when one factor does not explain the difference.
std::optional<double> scaleFactor(const ElementErrors &errors, double limit)
{
    if (!errors.finite || errors.nonZero < 2 || errors.squaredExpected == 0 || errors.squaredActual == 0)
        return std::nullopt;
    const double scale = errors.product / errors.squaredExpected;
    const double residual = errors.squaredActual - scale * errors.product;
    // The residual is a difference of large sums, so it cannot be resolved below about 1e-8 of them.
    const double resolvable = std::max(limit, 1e-6);
    if (std::abs(scale - 1) < 1e-3 || std::sqrt(std::max(residual, 0.0) / errors.squaredActual) > resolvable)
        return std::nullopt;
    return scale;
}

// By the size of the numbers: torch.testing's own absolute tolerance calls all small numbers close.
bool isRounding(const ElementErrors &errors, double limit)
{
    // A single wrong element hides in the norm of a large tensor, hence the bound on the largest error.
    return errors.finite && errors.relL2() <= limit && errors.maxAbs <= 10 * limit * errors.maxExpected;
}

void classify(Comparison &result, const ElementErrors &errors, const at::Tensor &a, const at::Tensor &b,
              std::optional<Tolerance> given)
{
    const double limit = roundingLimit(a.scalar_type());
    const Tolerance tolerance = given.value_or(Tolerance{defaultTolerance(a.scalar_type()).rtol, 0});
    if ((given && errors.close) || isRounding(errors, limit)) {
        result.difference = Difference::Rounding;
    } else if (const auto scale = scaleFactor(errors, limit)) {
        result.difference = Difference::ScaleFactor;
        result.scale = *scale;
    } else if (errors.finite && sameRowsReordered(a, b, tolerance)) {
        result.difference = Difference::Permutation;
    } else {
        result.difference = Difference::Values;
    }
}

} // namespace

at::Tensor plain(const at::Tensor &tensor)
{
    at::Tensor result = tensor.detach();
    if (result.layout() != at::kStrided)
        result = result.to_dense();
    if (result.is_quantized())
        result = result.dequantize();
    return result.cpu();
}

Comparison compareTensors(const at::Tensor &expected, const at::Tensor &actual, std::optional<Tolerance> tolerance)
{
    if (expected.sizes() != actual.sizes())
        return unlike(Difference::Shape, expected, actual);
    if (expected.scalar_type() != actual.scalar_type())
        return unlike(Difference::Dtype, expected, actual);
    const Tolerance allowed = tolerance.value_or(defaultTolerance(expected.scalar_type()));
    const at::Tensor a = plain(expected);
    const at::Tensor b = plain(actual);
    const ElementErrors errors = elementErrors(a, b, allowed);
    Comparison result;
    if (errors.bitwise)
        return result;
    result.bitwise = false;
    result.close = errors.close;
    result.maxAbsError = errors.maxAbs;
    result.maxRelError = errors.maxRel;
    result.relL2 = errors.relL2();
    classify(result, errors, a, b, tolerance);
    result.worst = fmt::format("{}expected {}, got {}", placeText(a, errors.worstIndex),
                               elementText(a, errors.worstIndex), elementText(b, errors.worstIndex));
    return result;
}

} // namespace pipescope::tensor

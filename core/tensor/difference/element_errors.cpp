#include "tensor/difference/element_errors.h"

#include <ATen/Functions.h>
#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

namespace pipescope::tensor {

namespace {

constexpr std::int64_t ComparedElements = 1 << 16;
constexpr double Infinity = std::numeric_limits<double>::infinity();

/// Of a value, which an infinite one is infinitely far from.
double relative(double error, double expected)
{
    if (std::isinf(expected))
        return Infinity;
    return error / expected;
}

/// Adds one element: `error` is |a - b|, the magnitudes are |a| and |b|.
void addElement(ElementErrors &errors, Tolerance tolerance, std::int64_t index, double error, double expected,
                double actual)
{
    if (error > errors.maxAbs || (errors.worstIndex < 0 && !errors.bitwise)) {
        errors.maxAbs = std::max(errors.maxAbs, error);
        errors.worstIndex = index;
    }
    if (error > 0 && expected > 0)
        errors.maxRel = std::max(errors.maxRel, relative(error, expected));
    // An infinite tolerance around an infinite value must not take in everything.
    errors.close =
        errors.close && (error == 0 || (std::isfinite(error) && error <= tolerance.atol + tolerance.rtol * expected));
    errors.squaredError += error * error;
    if (!std::isfinite(error))
        errors.finite = false;
    if (!std::isfinite(expected) || !std::isfinite(actual))
        return;
    errors.maxExpected = std::max(errors.maxExpected, expected);
    errors.squaredExpected += expected * expected;
    errors.squaredActual += actual * actual;
    errors.nonZero += expected != 0 ? 1 : 0;
}

/// |a - b| where NaN is 0 away from NaN, infinities from themselves, and both infinitely far from everything else.
double distance(double a, double b)
{
    if (a == b || (std::isnan(a) && std::isnan(b)))
        return 0;
    const double error = std::abs(a - b);
    if (std::isnan(error))
        return Infinity;
    return error;
}

bool sameBits(double a, double b)
{
    return (a == b && std::signbit(a) == std::signbit(b)) || (std::isnan(a) && std::isnan(b));
}

void addFloats(ElementErrors &errors, Tolerance tolerance, std::int64_t first, const double *a, const double *b,
               std::int64_t count)
{
    for (std::int64_t i = 0; i < count; ++i) {
        errors.bitwise = errors.bitwise && sameBits(a[i], b[i]);
        addElement(errors, tolerance, first + i, distance(a[i], b[i]), std::abs(a[i]), std::abs(b[i]));
        if (std::isfinite(a[i]) && std::isfinite(b[i]))
            errors.product += a[i] * b[i];
    }
}

void addComplex(ElementErrors &errors, Tolerance tolerance, std::int64_t first, const double *a, const double *b,
                std::int64_t count)
{
    for (std::int64_t i = 0; i < count; ++i) {
        const double *x = a + 2 * i;
        const double *y = b + 2 * i;
        errors.bitwise = errors.bitwise && sameBits(x[0], y[0]) && sameBits(x[1], y[1]);
        const double error = std::hypot(distance(x[0], y[0]), distance(x[1], y[1]));
        const double expected = std::hypot(x[0], x[1]);
        const double actual = std::hypot(y[0], y[1]);
        addElement(errors, tolerance, first + i, error, expected, actual);
        if (std::isfinite(expected) && std::isfinite(actual))
            errors.product += x[0] * y[0] + x[1] * y[1];
    }
}

/// Differences are taken before rounding to double, so that large integers one apart are seen to differ.
void addIntegers(ElementErrors &errors, Tolerance tolerance, std::int64_t first, const std::int64_t *a,
                 const std::int64_t *b, std::int64_t count)
{
    for (std::int64_t i = 0; i < count; ++i) {
        errors.bitwise = errors.bitwise && a[i] == b[i];
        const auto x = static_cast<std::uint64_t>(a[i]);
        const auto y = static_cast<std::uint64_t>(b[i]);
        const auto error = static_cast<double>(a[i] > b[i] ? x - y : y - x);
        const auto expected = static_cast<double>(a[i]);
        const auto actual = static_cast<double>(b[i]);
        addElement(errors, tolerance, first + i, error, std::abs(expected), std::abs(actual));
        errors.product += expected * actual;
    }
}

/// A flat view whose elements the loops above can read after a cast of one block.
at::Tensor flat(const at::Tensor &tensor)
{
    at::Tensor plain = tensor.detach().resolve_conj().resolve_neg().contiguous();
    if (plain.is_complex())
        plain = at::view_as_real(plain);
    return plain.reshape({-1});
}

} // namespace

double ElementErrors::relL2() const
{
    if (squaredError == 0)
        return 0;
    return squaredExpected == 0 ? Infinity : std::sqrt(squaredError) / std::sqrt(squaredExpected);
}

ElementErrors elementErrors(const at::Tensor &expected, const at::Tensor &actual, Tolerance tolerance)
{
    ElementErrors errors;
    const at::Tensor a = flat(expected);
    const at::Tensor b = flat(actual);
    if (a.numel() == 0 || std::memcmp(a.const_data_ptr(), b.const_data_ptr(), a.nbytes()) == 0)
        return errors;
    const bool integers = c10::isIntegralType(a.scalar_type(), true);
    const std::int64_t width = expected.is_complex() ? 2 : 1;
    for (std::int64_t first = 0; first < a.numel(); first += ComparedElements) {
        const std::int64_t last = std::min(a.numel(), first + ComparedElements);
        const at::ScalarType wide = integers ? at::kLong : at::kDouble;
        const at::Tensor x = a.slice(0, first, last).to(wide);
        const at::Tensor y = b.slice(0, first, last).to(wide);
        if (integers)
            addIntegers(errors, tolerance, first, x.const_data_ptr<std::int64_t>(), y.const_data_ptr<std::int64_t>(),
                        last - first);
        else if (width == 2)
            addComplex(errors, tolerance, first / 2, x.const_data_ptr<double>(), y.const_data_ptr<double>(),
                       (last - first) / 2);
        else
            addFloats(errors, tolerance, first, x.const_data_ptr<double>(), y.const_data_ptr<double>(), last - first);
    }
    return errors;
}

} // namespace pipescope::tensor

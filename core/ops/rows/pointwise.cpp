// Each element of the result from one element of each operand. Comparisons and integer logic are no floating-point
// operations.
#include "ops/rows/families.h"

namespace pipescope::ops {

namespace {

constexpr Operator Pointwise[] = {
    {.name = "aten::gelu", .flops = perOutput(8)},
    {.name = "aten::silu", .flops = perOutput(4)},
    {.name = "aten::sigmoid", .flops = perOutput(3)},
    {.name = "aten::tanh", .flops = perOutput(4)},
    {.name = "aten::hardswish", .flops = perOutput(4)},
    {.name = "aten::hardsigmoid", .flops = perOutput(3)},
    {.name = "aten::elu", .flops = perOutput(2)},
    {.name = "aten::lerp", .flops = perOutput(3)},
    {.name = "aten::addcmul", .flops = perOutput(3)},
    {.name = "aten::addcdiv", .flops = perOutput(3)},
    {.name = "aten::add", .flops = perOutput(1), .code = "+"},
    {.name = "aten::sub", .flops = perOutput(1), .code = "-"},
    {.name = "aten::rsub", .flops = perOutput(1)},
    {.name = "aten::mul", .flops = perOutput(1), .code = "*"},
    {.name = "aten::div", .flops = perOutput(1), .code = "/"},
    {.name = "aten::neg", .flops = perOutput(1)},
    {.name = "aten::abs", .flops = perOutput(1)},
    {.name = "aten::sqrt", .flops = perOutput(1)},
    {.name = "aten::rsqrt", .flops = perOutput(1)},
    {.name = "aten::reciprocal", .flops = perOutput(1)},
    {.name = "aten::square", .flops = perOutput(1)},
    {.name = "aten::pow", .flops = perOutput(1)},
    {.name = "aten::exp", .flops = perOutput(1)},
    {.name = "aten::expm1", .flops = perOutput(1)},
    {.name = "aten::log", .flops = perOutput(1)},
    {.name = "aten::log1p", .flops = perOutput(1)},
    {.name = "aten::log2", .flops = perOutput(1)},
    {.name = "aten::log10", .flops = perOutput(1)},
    {.name = "aten::sin", .flops = perOutput(1)},
    {.name = "aten::cos", .flops = perOutput(1)},
    {.name = "aten::tan", .flops = perOutput(1)},
    {.name = "aten::atan", .flops = perOutput(1)},
    {.name = "aten::atan2", .flops = perOutput(1)},
    {.name = "aten::erf", .flops = perOutput(1)},
    {.name = "aten::relu", .flops = perOutput(1)},
    {.name = "aten::relu6", .flops = perOutput(1)},
    {.name = "aten::leaky_relu", .flops = perOutput(1)},
    {.name = "aten::hardtanh", .flops = perOutput(1)},
    {.name = "aten::prelu", .flops = perOutput(1)},
    {.name = "aten::clamp", .flops = perOutput(1)},
    {.name = "aten::clamp_min", .flops = perOutput(1)},
    {.name = "aten::clamp_max", .flops = perOutput(1)},
    {.name = "aten::maximum", .flops = perOutput(1)},
    {.name = "aten::minimum", .flops = perOutput(1)},
    {.name = "aten::floor", .flops = perOutput(1)},
    {.name = "aten::ceil", .flops = perOutput(1)},
    {.name = "aten::round", .flops = perOutput(1)},
    {.name = "aten::trunc", .flops = perOutput(1)},
    {.name = "aten::sign", .flops = perOutput(1)},
    {.name = "aten::remainder", .flops = perOutput(1), .code = "%"},
    {.name = "aten::fmod", .flops = perOutput(1)},
    {.name = "aten::floor_divide", .flops = perOutput(1)},
    {.name = "aten::true_divide", .flops = perOutput(1)},
    {.name = "aten::softplus", .flops = perOutput(1)},
    {.name = "aten::threshold", .flops = perOutput(1)},
    {.name = "aten::eq", .flops = Free, .code = "="},
    {.name = "aten::ne", .flops = Free, .code = "!"},
    {.name = "aten::lt", .flops = Free, .code = "<"},
    {.name = "aten::le", .flops = Free},
    {.name = "aten::gt", .flops = Free, .code = ">"},
    {.name = "aten::ge", .flops = Free},
    {.name = "aten::logical_and", .flops = Free},
    {.name = "aten::logical_or", .flops = Free},
    {.name = "aten::logical_not", .flops = Free},
    {.name = "aten::logical_xor", .flops = Free},
    {.name = "aten::bitwise_and", .flops = Free},
    {.name = "aten::bitwise_or", .flops = Free},
    {.name = "aten::bitwise_not", .flops = Free},
    {.name = "aten::__and__", .flops = Free},
    {.name = "aten::__or__", .flops = Free},
    {.name = "aten::isnan", .flops = Free},
    {.name = "aten::isinf", .flops = Free},
    {.name = "aten::isfinite", .flops = Free},
    {.name = "aten::any", .flops = Free},
    {.name = "aten::all", .flops = Free},
};

} // namespace

std::span<const Operator> pointwise()
{
    return Pointwise;
}

} // namespace pipescope::ops

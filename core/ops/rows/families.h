// The rows of the table by family, a file each. Private to ops/.
#pragma once

#include "ops/operator.h"

namespace pipescope::ops {

std::span<const Operator> products();
std::span<const Operator> pointwise();
std::span<const Operator> reductions();
std::span<const Operator> normalisations();
std::span<const Operator> shapes();
std::span<const Operator> selections();
std::span<const Operator> creations();
std::span<const Operator> randomNumbers();
std::span<const Operator> quantization();
std::span<const Operator> files();
std::span<const Operator> program();

inline constexpr Flops Free{};

constexpr Flops perOutput(double factor)
{
    return {FlopRule::PerOutput, factor, 0};
}
constexpr Flops perInput(double factor)
{
    return {FlopRule::PerInput, factor, 0};
}

} // namespace pipescope::ops

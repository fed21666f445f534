// Sums, extremes and the like over dimensions.
#include "ops/rows/families.h"

namespace pipescope::ops {

namespace {

constexpr Operator Reductions[] = {
    {.name = "aten::sum", .flops = perInput(1)},
    {.name = "aten::mean", .flops = perInput(1)},
    {.name = "aten::prod", .flops = perInput(1)},
    {.name = "aten::amax", .flops = perInput(1)},
    {.name = "aten::amin", .flops = perInput(1)},
    {.name = "aten::argmax", .flops = perInput(1)},
    {.name = "aten::argmin", .flops = perInput(1)},
    {.name = "aten::norm", .flops = perInput(2)},
    {.name = "aten::linalg_vector_norm", .flops = perInput(2)},
    {.name = "aten::var", .flops = perInput(3)},
    {.name = "aten::std", .flops = perInput(3)},
    {.name = "aten::cumsum", .flops = perInput(1)},
    {.name = "aten::cumprod", .flops = perInput(1)},
    {.name = "aten::adaptive_avg_pool1d", .flops = perInput(1)},
    {.name = "aten::adaptive_avg_pool2d", .flops = perInput(1)},
    {.name = "aten::adaptive_avg_pool3d", .flops = perInput(1)},
    {.name = "aten::adaptive_max_pool2d", .flops = perInput(1)},
    {.name = "aten::cov", .memory = Memory::Anything}, // it subtracts the mean in place
};

} // namespace

std::span<const Operator> reductions()
{
    return Reductions;
}

} // namespace pipescope::ops

// Tensors that are made of nothing but their sizes.
#include "ops/rows/families.h"

namespace pipescope::ops {

namespace {

constexpr Operator Creations[] = {
    {.name = "aten::one_hot", .flops = Free},       {.name = "aten::zeros", .flops = Free},
    {.name = "aten::ones", .flops = Free},          {.name = "aten::full", .flops = Free},
    {.name = "aten::empty", .flops = Free},         {.name = "aten::zeros_like", .flops = Free},
    {.name = "aten::ones_like", .flops = Free},     {.name = "aten::full_like", .flops = Free},
    {.name = "aten::empty_like", .flops = Free},    {.name = "aten::new_zeros", .flops = Free},
    {.name = "aten::new_ones", .flops = Free},      {.name = "aten::new_full", .flops = Free},
    {.name = "aten::new_empty", .flops = Free},     {.name = "aten::zero", .flops = Free},
    {.name = "aten::fill", .flops = Free},          {.name = "aten::arange", .flops = Free},
    {.name = "aten::linspace", .flops = Free},      {.name = "aten::eye", .flops = Free},
    {.name = "aten::scalar_tensor", .flops = Free}, {.name = "aten::tensor", .flops = Free},
};

} // namespace

std::span<const Operator> creations()
{
    return Creations;
}

} // namespace pipescope::ops

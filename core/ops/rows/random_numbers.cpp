// Random numbers.
#include "ops/rows/families.h"

namespace pipescope::ops {

namespace {

constexpr Operator RandomNumbers[] = {
    {.name = "aten::dropout", .flops = perOutput(1), .memory = Memory::MayReturnOperand, .draws = Draws{{2, 1}}},
    {.name = "aten::rand", .flops = Free, .draws = Draws{}},
    {.name = "aten::randn", .flops = Free, .draws = Draws{}},
    {.name = "aten::randint", .flops = Free, .draws = Draws{}},
    {.name = "aten::rand_like", .flops = Free, .draws = Draws{}},
    {.name = "aten::randn_like", .flops = Free, .draws = Draws{}},
    {.name = "aten::bernoulli", .flops = Free, .draws = Draws{}},
    {.name = "aten::uniform", .flops = Free, .draws = Draws{}},
    {.name = "aten::normal", .flops = Free, .draws = Draws{}},
    {.name = "aten::feature_dropout", .flops = Free, .memory = Memory::MayReturnOperand, .draws = Draws{{2, 1}}},
    {.name = "aten::alpha_dropout", .memory = Memory::MayReturnOperand, .draws = Draws{{2, 1}}},
    {.name = "aten::feature_alpha_dropout", .memory = Memory::MayReturnOperand, .draws = Draws{{2, 1}}},
    {.name = "aten::randint_like", .draws = Draws{}},
    {.name = "aten::randperm", .draws = Draws{}},
    {.name = "aten::multinomial", .draws = Draws{}},
    {.name = "aten::poisson", .draws = Draws{}},
    {.name = "aten::binomial", .draws = Draws{}},
    {.name = "aten::random", .draws = Draws{}},
    {.name = "aten::cauchy", .draws = Draws{}},
    {.name = "aten::log_normal", .draws = Draws{}},
    {.name = "aten::exponential", .draws = Draws{}},
    {.name = "aten::geometric", .draws = Draws{}},
    {.name = "aten::normal_functional", .draws = Draws{}},
    {.name = "aten::_standard_gamma", .draws = Draws{}},
    {.name = "aten::_sample_dirichlet", .draws = Draws{}},
    {.name = "aten::native_dropout", .draws = Draws{{2, -1}}},
    {.name = "aten::_fused_dropout", .draws = Draws{}},
    {.name = "aten::rrelu", .draws = Draws{{3, -1}}},
    {.name = "aten::rrelu_with_noise", .draws = Draws{{4, -1}}},
    {.name = "aten::manual_seed", .role = Role::Seeds},
};

} // namespace

std::span<const Operator> randomNumbers()
{
    return RandomNumbers;
}

} // namespace pipescope::ops

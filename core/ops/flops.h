// Floating-point operations of one operator call by its row's rule, from the shapes it was called with. A product
// counts two per multiply-add, as papers and torch.utils.flop_counter do (biases not counted); element-wise operators,
// normalisations and softmax count a few per element, which is an approximation and small beside the products.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace pipescope::ops {

using Sizes = std::vector<std::int64_t>;

struct Operand
{
    std::optional<Sizes> sizes;         ///< of a tensor
    std::optional<std::int64_t> number; ///< of an int or a bool

    friend bool operator==(const Operand &, const Operand &) = default;
};

/// Whether a rule for the operator exists ("aten::linear"; in-place forms count as their plain ones).
[[nodiscard]] bool hasFlopRule(std::string_view op);

/// nullopt without a rule, or where the operands are not what the rule needs.
[[nodiscard]] std::optional<double> operatorFlops(std::string_view op, const std::vector<Operand> &inputs,
                                                  const std::vector<Operand> &outputs);

} // namespace pipescope::ops

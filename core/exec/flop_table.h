// Which rule counts an operator's floating-point operations: a row each. Private to exec/.
#pragma once

#include <cstddef>
#include <string_view>

namespace pipescope::exec {

enum class FlopRule {
    None,          // moves or describes data only
    PerOutput,     // `factor` per element of the first output
    PerInput,      // `factor` per element of operand `at`
    Dense,         // operand `at` [..., in] to output [..., out]
    MatMul,        // operand `at` [..., n, k] times the next, output [..., n, m]
    SumMatMul,     // as MatMul, the batch summed: every row of operand `at` meets every column of the next
    Conv,          // input, weight [out, in / groups, ...]
    ConvTranspose, // input, weight [in, out / groups, ...]
    Convolution,   // either of the two, by the flag `transposed`
    Attention,     // query [..., l, e], key [..., s, e], value [..., s, v]
    Recurrent,     // input [steps, batch, ...], weights of input and hidden state
};

struct FlopEntry
{
    std::string_view op;
    FlopRule rule = FlopRule::None;
    double factor = 1;
    std::size_t at = 0;
};

/// In-place forms count as their plain ones; nullptr for an operator without a rule.
[[nodiscard]] const FlopEntry *findFlopEntry(std::string_view op);

} // namespace pipescope::exec

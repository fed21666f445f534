// Divisions of whole numbers that end the program: LibTorch's operators do not look at the divisor, and the processor
// refuses.
#pragma once

#include <ATen/core/ivalue.h>
#include <torch/csrc/jit/ir/ir.h>

namespace pipescope::import {

/// Whether a node divides numbers that may be whole (`a % b`, `a // b`), so that trapOf its operands decides.
[[nodiscard]] bool mayTrap(const torch::jit::Node &node);

/// Why dividing these by one another ends the program, in words: by zero, or the smallest number by -1. Null where it
/// does not; numbers that are not whole never do.
[[nodiscard]] const char *trapOf(const c10::IValue &dividend, const c10::IValue &divisor);

} // namespace pipescope::import

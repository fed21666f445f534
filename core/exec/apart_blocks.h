// Ifs and loops are run where they stand. Private to exec/.
#pragma once

#include <torch/csrc/jit/ir/ir.h>

namespace pipescope::exec {

/// After every if and loop of the block, and of the blocks inside: an operator of ours that does nothing. LibTorch's
/// interpreter emits a node whose only use comes next as part of that use, behind the operands before it, and takes a
/// value out of its register at the use that it emits last (torch/csrc/jit/runtime/interpreter/code_impl.h, emitUse).
/// In the body of a loop that is one round too early: `return y, z` with a z that a loop makes of y loses y.
void keepBlocksApart(torch::jit::Block &block);

} // namespace pipescope::exec

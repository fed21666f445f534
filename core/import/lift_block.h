// The body of a node as a graph of its own, which is the form that code to be run aside has (torch.jit.fork).
#pragma once

#include <torch/csrc/jit/ir/ir.h>

namespace pipescope::import {

/// Turns the only block of a node, which has no inputs, into its attribute Subgraph. The values that the block uses
/// from outside become operands of the node, in order of first use, each once.
void liftBlock(torch::jit::Node &node);

} // namespace pipescope::import

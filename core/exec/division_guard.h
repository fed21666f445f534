// Divisions that would end the program fail instead. Private to exec/.
#pragma once

#include <torch/csrc/jit/ir/ir.h>

namespace pipescope::exec {

/// Before the node, and before every node inside of it, where it divides whole numbers (import/trapping_division.h): an
/// operator of ours that looks at both, and throws. Code that is run aside becomes the node's own for it.
void guardDivisions(torch::jit::Node &node);

} // namespace pipescope::exec

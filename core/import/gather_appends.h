// Lists that grow item by item: made at once, where that cannot be told from outside.
#pragma once

#include <memory>
#include <torch/csrc/jit/ir/ir.h>

namespace pipescope::import {

/// A list that is made by writing its items, and appended to before anything else uses it, is made with all of these
/// items where the last of them was appended. LibTorch's RemoveListMutation does so only where no tensor that the list
/// holds is written in place on the way; but a list holds the tensors and not their numbers, and nobody sees it before.
/// Appends inside an if or loop count as uses.
void gatherAppends(const std::shared_ptr<torch::jit::Graph> &graph);

} // namespace pipescope::import

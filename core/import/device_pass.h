// Models traced on a GPU have that device baked in as constants (libtorch.md 7, rows 15 to 18). This sends them to the
// device the stage really runs on.
#pragma once

#include <memory>
#include <string>
#include <torch/csrc/jit/ir/ir.h>
#include <vector>

namespace pipescope::import {

/// Rewrites every device constant that is not `device`, tensor constants on another device, and aten::cuda / aten::cpu
/// calls, in all blocks. Returns one line per change: "layers.0/aten::zeros: cuda:0 -> cpu".
std::vector<std::string> sendToDevice(torch::jit::Graph &graph, const c10::Device &device);

} // namespace pipescope::import

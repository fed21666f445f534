// Models traced on a GPU have that device baked in as constants (libtorch.md 7, rows 15 to 18). This sends them to the
// device the stage really runs on.
#pragma once

#include <memory>
#include <string>
#include <torch/csrc/jit/ir/ir.h>
#include <vector>

namespace pipescope::import {

/// Rewrites, in all blocks and in code that is run aside, what names a type of device other than that of `device`
/// (cuda:1 stays where that is cuda:0):
///
/// - device constants become `device`;
/// - constant tensors are copied there;
/// - aten::cuda and aten::cpu are left out, as they give their operand itself where it is on such a device already.
///
/// Returns one line per change: "layers.0/aten::zeros: cuda:0 -> cpu".
std::vector<std::string> sendToDevice(torch::jit::Graph &graph, const c10::Device &device);

} // namespace pipescope::import

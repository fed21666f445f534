// Deciding at import what does not depend on inputs.
#pragma once

#include <ATen/core/ivalue.h>
#include <optional>
#include <torch/csrc/jit/ir/ir.h>
#include <vector>

namespace pipescope::import {

/// Whether an attribute's value can be written into the program: None, bool, int, float, complex, string, device, and
/// tuples of these. Lists and dicts can be changed by the model and are not.
[[nodiscard]] bool isPlainConstant(const c10::IValue &value);

/// The result of a one-output node on constant inputs, where running it now is the same as running it later: no effect,
/// no random numbers, no tensors, a plain constant but no text as result. `inputs[i]` is nullopt where input i is not
/// constant.
[[nodiscard]] std::optional<c10::IValue> foldNode(const torch::jit::Node &node,
                                                  const std::vector<std::optional<c10::IValue>> &inputs);

} // namespace pipescope::import

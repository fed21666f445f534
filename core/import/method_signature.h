// A method's arguments and results as a person reads them.
#pragma once

#include <string>
#include <torch/csrc/jit/api/module.h>

namespace pipescope::import {

/// "(Tensor x, int sr=16000) -> Tensor": without `self`.
[[nodiscard]] std::string signatureOf(const torch::jit::Method &method);

} // namespace pipescope::import

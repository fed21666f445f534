// Which operators this LibTorch, with the operator libraries loaded so far, can compile.
#pragma once

#include <string>

namespace pipescope::import {

/// `name` is "aten::linear". Includes operators that TorchScript builds from others.
[[nodiscard]] bool isKnownOperator(const std::string &name);

} // namespace pipescope::import

// What a module's code itself holds.
#pragma once

#include <ATen/core/ivalue.h>
#include <vector>

namespace pipescope::import {

/// The constants of the code of an object's methods, of what these call, and of all objects it holds, other than plain
/// ones (fold.h): tensors, which tracing puts there. Whoever may call any of the methods may write them.
[[nodiscard]] std::vector<c10::IValue> constantsOfCode(const c10::IValue &object);

} // namespace pipescope::import

// The memory behind a value that a model holds, by identity.
#pragma once

#include <ATen/core/ivalue.h>
#include <vector>

namespace pipescope::import {

enum class Modules { Left, Entered };

/// Addresses of the storages of all tensors in a value, and of all lists, dicts and objects, each once. Two values
/// share memory if they have an address in common.
[[nodiscard]] std::vector<const void *> heldMemory(const c10::IValue &value, Modules modules = Modules::Left);

} // namespace pipescope::import

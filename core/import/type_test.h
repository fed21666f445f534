// What the type of a value decides of `isinstance` and `is None`.
#pragma once

#include <ATen/core/jit_type.h>
#include <optional>

namespace pipescope::import {

/// Whether a value of it is of one of several types: an Optional, or a Union.
[[nodiscard]] bool isUnion(const c10::Type &type);

/// Whether every value of `type` is an instance of one of `tested`, or none is; nullopt where that is up to the value.
[[nodiscard]] std::optional<bool> isInstance(const c10::Type &type, at::ArrayRef<c10::TypePtr> tested);

} // namespace pipescope::import

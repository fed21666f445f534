// The types whose values are copied as they are and hold no memory that another value could share.
#pragma once

#include <ATen/core/jit_type.h>

namespace pipescope::import {

/// Numbers, text, None, devices, dtypes and layouts.
[[nodiscard]] bool isPlain(c10::TypeKind kind);

} // namespace pipescope::import

// How much memory inputs take that are described and not made yet.
#pragma once

#include "plan/input_spec.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace pipescope::plan {

/// Bytes of all tensors in them, copies of one size for each that is written; the largest number where there are more.
/// nullopt where one is read from a file, whose sizes are not known.
[[nodiscard]] std::optional<std::int64_t> inputBytes(const std::vector<InputSpec> &inputs);

} // namespace pipescope::plan

// Follows a bubble back: to the compute that it waited for, to the compute that this one had waited for, and so on.
#pragma once

#include "trace/explain/explanation.h"

#include <optional>
#include <vector>

namespace pipescope::trace {

/// What the first action after the bubble needed and had not got.
[[nodiscard]] std::optional<SliceRef> awaitedBy(const Explanation &explained, const Lane &lane, const Bubble &bubble);

/// From where it began to what was waited for at last; empty where nothing is known. A compute belongs to it as long
/// as its rank, too, was idle before because of another.
[[nodiscard]] std::vector<SliceRef> chainOf(const Explanation &explained, const Lane &lane, const Bubble &bubble);

} // namespace pipescope::trace

// Follows a bubble back: to the compute that it waited for, to the compute that this one had waited for, and so on.
#pragma once

#include "trace/explain/explanation.h"

#include <cstddef>
#include <optional>
#include <vector>

namespace pipescope::trace {

/// What the first action after the bubble needed and had not got.
[[nodiscard]] std::optional<SliceRef> awaitedBy(const Explanation &explained, const Lane &lane, const Bubble &bubble);

/// From where it began to what was waited for at last; empty where nothing is known. A compute belongs to it as long
/// as its rank, too, was idle before because of another.
[[nodiscard]] std::vector<SliceRef> chainOf(const Explanation &explained, const Lane &lane, const Bubble &bubble);

/// A chain as it is told: its beginning and its end. Nobody reads all the links of a long one.
struct ToldChain
{
    static constexpr std::size_t First = 4;
    static constexpr std::size_t Last = 12;

    std::vector<SliceRef> links; ///< the first and the last of a chain that has more
    std::size_t leftOut = 0;     ///< those after the first
};

[[nodiscard]] ToldChain toldChain(const std::vector<SliceRef> &chain);

} // namespace pipescope::trace

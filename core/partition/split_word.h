// The words of --split that are not names, so that naming and resolving agree. Private to partition/.
#pragma once

#include <algorithm>
#include <string_view>

namespace pipescope::partition {

inline constexpr std::string_view MarkersWord = "markers";
inline constexpr std::string_view EndSuffix = ":end";

/// A number of stages, which the balancer takes.
[[nodiscard]] inline bool isStageCount(std::string_view word)
{
    return !word.empty() && std::all_of(word.begin(), word.end(), [](char c) { return c >= '0' && c <= '9'; });
}

} // namespace pipescope::partition

// How many bubbles a command lists where nobody says.
#pragma once

#include <cstddef>

namespace pipescope::app {

inline constexpr std::size_t UsualBubbles = 5;

} // namespace pipescope::app

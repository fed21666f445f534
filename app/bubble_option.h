// How many bubbles a command tells of.
#pragma once

#include <CLI/CLI.hpp>
#include <cstddef>

namespace pipescope::app {

inline constexpr std::size_t UsualBubbles = 5;

/// --bubbles. `count` outlives the command.
void addBubbleOption(CLI::App &command, std::size_t &count);

} // namespace pipescope::app

// How many bubbles a command lists.
#pragma once

#include <CLI/CLI.hpp>
#include <cstddef>

namespace pipescope::app {

/// More would fill a terminal, and take long where a trace has many.
inline constexpr int MostBubbles = 1000;

/// --bubbles. `count` outlives the command.
void addBubbleOption(CLI::App &command, std::size_t &count);

} // namespace pipescope::app

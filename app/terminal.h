// What the text goes to: how wide it is and whether it shows colours.
#pragma once

#include "base/result.h"

#include <string>
#include <string_view>

namespace pipescope::app {

struct Terminal
{
    bool colour = false;
    int columns = 100;
};

enum class ColourChoice { Auto, Always, Never };

/// "auto", "always", "never". Error: InvalidArgument with the nearest.
Result<ColourChoice> parseColour(std::string_view text);

/// Standard output as it is now. Auto means colours on a terminal, unless NO_COLOR is set or TERM is dumb.
[[nodiscard]] Terminal standardOutput(ColourChoice choice);

[[nodiscard]] std::string bold(const Terminal &terminal, std::string_view text);
[[nodiscard]] std::string good(const Terminal &terminal, std::string_view text);
[[nodiscard]] std::string bad(const Terminal &terminal, std::string_view text);
[[nodiscard]] std::string dim(const Terminal &terminal, std::string_view text);

} // namespace pipescope::app

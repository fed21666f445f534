// Words for a command line that a person copies.
#pragma once

#include <string>
#include <string_view>

namespace pipescope::app {

/// The text as one word for a shell, in quotes where it would not take it as it is: brackets, stars, spaces and the
/// like.
[[nodiscard]] std::string shellWord(std::string_view text);

} // namespace pipescope::app

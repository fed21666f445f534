// Text of others, such as names of files and what a model says, as it may stand on a terminal: there a control
// character does something, and a line break makes a line of its own that nobody of us wrote.
#pragma once

#include <string>
#include <string_view>

namespace pipescope {

/// On one line: control characters as \n, \r, \t, \x1b or \u009b. All else as it is.
[[nodiscard]] std::string shownText(std::string_view text);

enum class Colours {
    Escaped,
    Kept, ///< those of our own
};

/// The same of a text whose lines are ours: line breaks and tabs stay.
[[nodiscard]] std::string shownLines(std::string_view text, Colours colours = Colours::Escaped);

} // namespace pipescope

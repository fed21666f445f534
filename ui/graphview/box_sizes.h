// How large a box is by what is written on it. Text is measured by a function, so that layout needs no font.
#pragma once

#include "graphview/box_tree.h"

#include <QSizeF>
#include <functional>
#include <string_view>

namespace pipescope::graphview {

enum class TextRole {
    Title,  ///< 12 px, semi-bold
    Detail, ///< 12 px
    Value,  ///< 11 px, fixed width
};

/// Width of a UTF-8 text; must be callable from any thread.
using TextWidth = std::function<double(std::string_view, TextRole)>;

/// From the number of characters.
[[nodiscard]] double estimatedWidth(std::string_view text, TextRole role);

namespace measure {
inline constexpr double Strip = 20;    ///< the stage's colour and number, left on every box
inline constexpr double SpanRoom = 24; ///< that "10–12" in an open box's title row takes more than one number
inline constexpr double Gap = 8;       ///< between strip, texts and border
inline constexpr double Header = 28;   ///< title row of an open box; also the height of a box with one line
inline constexpr double TwoLines = 44; ///< height of a closed module
inline constexpr double Inset = 16;    ///< between an open box and its children, left, right and below
inline constexpr double Widest = 340;  ///< of a closed box; longer texts are cut
inline constexpr double Measured = 62; ///< room for "3.41 ms"
} // namespace measure

/// Of a closed box.
[[nodiscard]] QSizeF closedSize(const Box &box, const TextWidth &width);

/// The least width of an open one.
[[nodiscard]] double headerWidth(const Box &box, const TextWidth &width);

} // namespace pipescope::graphview

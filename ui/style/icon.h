// Line icons of one weight, in the theme's colours.
#pragma once

#include "style/theme.h"

#include <QIcon>

namespace pipescope::style {

/// resources/icons/<name>.svg, greyed where it is disabled. Empty where there is none of that name.
[[nodiscard]] QIcon icon(const QString &name, const Theme &theme, Token colour = Token::Text);

/// The program's own, for its windows: a desktop without the program's .desktop file shows it too.
[[nodiscard]] QIcon programIcon();

} // namespace pipescope::style

// Which of Qt's platforms the program runs on, and what of the command line Qt cannot tell: before there is an
// application.
#pragma once

#include <string>

namespace pipescope::app {

/// Whether the command line asks for a picture, which needs no display.
[[nodiscard]] bool wantsPicture(int argc, char **argv);

/// Whether it may ask for help or the version alone, which is answered before a display is looked for.
[[nodiscard]] bool wantsWords(int argc, char **argv);

/// What is wrong with a word that is no UTF-8, as the name of a file may be: Qt makes another name of it. "" where none
/// is.
[[nodiscard]] std::string problemOfBytes(int argc, char **argv);

/// For a picture none that has a screen, whose window manager might give the window another size, unless
/// QT_QPA_PLATFORM names one. Also keeps what the platform says of itself from standard error then, where only this
/// program's own errors belong.
void choosePlatform(bool isPicture);

} // namespace pipescope::app

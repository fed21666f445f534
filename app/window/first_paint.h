// For measuring how long the program takes to start.
#pragma once

#include "mainwindow/main_window.h"

namespace pipescope::app {

enum class Painted { Window, Model };

/// Once that is painted for the first time: says so in a line on standard output and ends the event loop with 0. Where
/// a model cannot be shown: a message on standard error, and 2.
void endAfterFirstPaint(mainwindow::MainWindow &window, Painted what);

} // namespace pipescope::app

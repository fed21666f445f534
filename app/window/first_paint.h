// For measuring how long the program takes to start.
#pragma once

#include "mainwindow/main_window.h"

namespace pipescope::app {

enum class Painted {
    Window,
    Structure, ///< boxes of a model, be it read only or loaded
    Model,     ///< boxes of a model that is loaded, as far as LibTorch loads it
};

/// Once that is painted for the first time: says so in a line on standard output and ends the event loop with 0. Where
/// a model cannot be shown, or its picture has no box of a module or an operator: a message on standard error, and 2.
void endAfterFirstPaint(mainwindow::MainWindow &window, Painted what);

} // namespace pipescope::app

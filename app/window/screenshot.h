// Pictures for documentation: open a file, run its plan, save what the window shows, end.
#pragma once

#include "mainwindow/main_window.h"

#include <QSize>
#include <QString>

namespace pipescope::app {

/// As much as a picture of a window may have.
inline constexpr int MostSide = 16'384;
inline constexpr int MostPixels = 64'000'000;

/// Whether a picture may have so many.
[[nodiscard]] bool isDrawable(QSizeF pixels);

/// "1280x800"; an empty size where it is none, or a larger one.
[[nodiscard]] QSize parseSize(const QString &text);

enum class Depth {
    Structure, ///< nothing is loaded, as of a file that is not trusted
    Run,       ///< what is named is loaded, and a plan runs
};

/// Saves a picture of the window, of the size that was asked for or not at all, once `file` is loaded and, where it is
/// a plan, has run; then ends the event loop with 0, or with 2 and a message on standard error where something went
/// wrong. Naming the file here is the answer to whether its code may run, unless `depth` says that it may not.
void takeScreenshot(mainwindow::MainWindow &window, const QString &file, const QString &picture, QSize size,
                    mainwindow::MainWindow::Perspective perspective, Depth depth = Depth::Run);

} // namespace pipescope::app

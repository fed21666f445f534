// What is asked where the plan's file is another on disk than the window has it.
#pragma once

#include <QString>

class QWidget;

namespace pipescope::mainwindow {

enum class Conflict { Overwrite, SaveAs, Reload, Cancel };

/// Before it is saved: what was written there meanwhile would be lost.
[[nodiscard]] Conflict askAboutConflict(const QString &path, QWidget &window);
/// Before it is read again: the changes made here would be lost.
[[nodiscard]] bool mayReload(const QString &path, QWidget &window);

} // namespace pipescope::mainwindow

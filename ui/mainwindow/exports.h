// What can be taken out of the window: pictures of the canvases, tables, traces.
#pragma once

#include "mainwindow/reports.h"

class QTableView;
class QWidget;

namespace pipescope::mainwindow {

/// Each asks for a file in a dialog over `window`, and reports what cannot be written.
/// A canvas that is widgets::Drawable, as SVG or PNG by the file's suffix; `name` is what people call it.
void exportCanvas(const QWidget &canvas, const QString &name, Reports &reports, QWidget &window);
/// As CSV; nullptr is reported, too.
void exportTable(const QTableView *table, Reports &reports, QWidget &window);
/// The run's trace, as Chrome JSON. There must be one.
void exportTrace(const session::Run &run, Reports &reports, QWidget &window);

} // namespace pipescope::mainwindow

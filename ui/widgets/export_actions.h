// The commands by which every table and every canvas hands out what it shows. They are the widget's own actions: found
// in its context menu, by the Menu key, and by whoever lists actions.
#pragma once

#include <QString>

class QTableView;
class QWidget;

namespace pipescope::widgets {

class Drawable;

/// "Copy" (Ctrl+C, the selected rows), "Copy all as CSV", "Export as CSV...". They act on the model that the table has
/// when they are used. `dressTable` calls this.
void addTableActions(QTableView &table);

/// "Export as SVG..." and "Export as PNG...". `drawing` is mostly the canvas itself and must live as long. A canvas
/// without a context menu of its own gets one of its actions.
void addDrawingActions(QWidget &canvas, const Drawable &drawing);

} // namespace pipescope::widgets

// How every table of the window looks and behaves.
#pragma once

class QTableView;
class QString;

namespace pipescope::widgets {

/// Rows of 24 px that are selected whole, one at a time, one line each, without grid and row numbers. `name` is for
/// tests, style sheets and exported files, `title` what screen readers say. With the context menu of export_actions.h.
void dressTable(QTableView &table, const char *name, const QString &title);

} // namespace pipescope::widgets

// How every table of the window looks and behaves.
#pragma once

class QModelIndex;
class QString;
class QTableView;

namespace pipescope::widgets {

/// Rows of 24 px that are selected whole, one at a time, one line each, without grid and row numbers; Tab leaves them.
/// What its model aligns to the right are numbers: in the fixed-width font. What has no room in its cell is read in
/// full in its tool tip, where the model says nothing else there. `name` is for tests, style sheets and exported files,
/// `title` what screen readers say. With the context menu of export_actions.h.
void dressTable(QTableView &table, const char *name, const QString &title);

/// Selects the row of an index and brings it into view, or selects none where the index is invalid. Who listens to what
/// is selected is not told: this is for a table that follows.
void followRow(QTableView &table, const QModelIndex &index);

} // namespace pipescope::widgets

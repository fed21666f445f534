// What can be done with the columns of a table by its context menu: shown and hidden, where there are more than fit,
// and sorted by.
#pragma once

#include <QList>

class QSettings;
class QTableView;

namespace pipescope::widgets {

/// A menu "Columns", one line for each, in the context menu of the table and in that of its header; those in `hidden`
/// are not shown at first. One column always stays. The table must have its model, whose columns stay as many.
void addColumnMenu(QTableView &table, const QList<int> &hidden);

/// A menu "Sort by", one line for each column, in the context menu of the table, for those who cannot click a heading;
/// does what a click does. For a table that sorts; it must have its model, whose columns stay as many.
void addSortMenu(QTableView &table);

/// Of a table with a menu "Columns": the columns are shown that were chosen the last time, and what is chosen is kept,
/// by the table's name. A choice among another number of columns is forgotten. The settings must outlive the table.
void keepColumns(QTableView &table, QSettings &settings);

} // namespace pipescope::widgets

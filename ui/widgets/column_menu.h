// Columns of a table that can be shown and hidden, where there are more than fit.
#pragma once

#include <QList>

class QTableView;

namespace pipescope::widgets {

/// A menu "Columns", one line for each, in the context menu of the table and in that of its header; those in `hidden`
/// are not shown at first. One column always stays. The table must have its model, whose columns stay as many.
void addColumnMenu(QTableView &table, const QList<int> &hidden);

} // namespace pipescope::widgets

#include "widgets/table.h"

#include "widgets/export_actions.h"

#include <QHeaderView>
#include <QItemSelectionModel>
#include <QSignalBlocker>
#include <QString>
#include <QTableView>

namespace pipescope::widgets {

void dressTable(QTableView &table, const char *name, const QString &title)
{
    constexpr int rowHeight = 24;
    table.setObjectName(name);
    table.setAccessibleName(title);
    table.setSelectionBehavior(QAbstractItemView::SelectRows);
    table.setSelectionMode(QAbstractItemView::SingleSelection);
    table.setTabKeyNavigation(false); // from widget to widget: who has no mouse would never get out
    table.setShowGrid(false);
    table.setWordWrap(false);
    table.setTextElideMode(Qt::ElideRight);
    table.verticalHeader()->hide();
    table.verticalHeader()->setMinimumSectionSize(rowHeight);
    table.verticalHeader()->setDefaultSectionSize(rowHeight);
    table.horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    table.horizontalHeader()->setHighlightSections(false);
    addTableActions(table);
}

void followRow(QTableView &table, const QModelIndex &index)
{
    const QSignalBlocker quiet(table.selectionModel());
    if (index.isValid()) {
        table.selectRow(index.row());
        table.scrollTo(index);
    } else {
        table.clearSelection();
    }
    table.viewport()->update(); // the view is not told either
}

} // namespace pipescope::widgets

#include "widgets/column_menu.h"

#include <QAbstractItemModel>
#include <QAction>
#include <QCoreApplication>
#include <QHeaderView>
#include <QMenu>
#include <QTableView>

namespace pipescope::widgets {

void addColumnMenu(QTableView &table, const QList<int> &hidden)
{
    auto *menu = new QMenu(QCoreApplication::translate("pipescope::widgets", "C&olumns"), &table);
    menu->setObjectName("columns");
    QTableView *view = &table;
    for (int column = 0; column < table.model()->columnCount(); ++column) {
        QAction *shows = menu->addAction(table.model()->headerData(column, Qt::Horizontal).toString());
        shows->setCheckable(true);
        shows->setChecked(!hidden.contains(column));
        table.setColumnHidden(column, hidden.contains(column));
        QObject::connect(shows, &QAction::toggled, view, [view, shows, column](bool isShown) {
            if (!isShown && view->horizontalHeader()->hiddenSectionCount() + 1 >= view->model()->columnCount())
                shows->setChecked(true); // the last one
            else
                view->setColumnHidden(column, !isShown);
        });
    }
    table.addAction(menu->menuAction());
    table.horizontalHeader()->addActions(menu->actions());
    table.horizontalHeader()->setContextMenuPolicy(Qt::ActionsContextMenu);
}

} // namespace pipescope::widgets

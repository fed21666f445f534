#include "widgets/column_menu.h"

#include <QAbstractItemModel>
#include <QAction>
#include <QCoreApplication>
#include <QHeaderView>
#include <QMenu>
#include <QSettings>
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

void keepColumns(QTableView &table, QSettings &settings)
{
    const QList<QAction *> columns = table.findChild<QMenu *>("columns", Qt::FindDirectChildrenOnly)->actions();
    const QString count = "columns/" + table.objectName() + "/count";
    const QString hidden = "columns/" + table.objectName() + "/hidden";
    if (settings.value(count).toInt() == columns.size()) {
        const QStringList kept = settings.value(hidden).toStringList();
        const auto isShown = [&kept](qsizetype column) { return !kept.contains(QString::number(column)); };
        for (const bool shown : {true, false}) // first, so that none has to stay as the last one
            for (qsizetype column = 0; column < columns.size(); ++column)
                if (isShown(column) == shown)
                    columns[column]->setChecked(shown);
    }
    const auto keep = [columns, count, hidden, &settings] {
        QStringList now;
        for (qsizetype column = 0; column < columns.size(); ++column)
            if (!columns[column]->isChecked())
                now << QString::number(column);
        settings.setValue(count, columns.size());
        settings.setValue(hidden, now);
    };
    for (QAction *column : columns)
        QObject::connect(column, &QAction::toggled, &table, keep);
}

} // namespace pipescope::widgets

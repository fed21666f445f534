#include "widgets/column_menu.h"

#include <QAbstractItemModel>
#include <QAction>
#include <QCoreApplication>
#include <QHeaderView>
#include <QMenu>
#include <QSettings>
#include <QTableView>

namespace pipescope::widgets {

namespace {

/// What a click on the heading does: upwards at first, then downwards, then as before where the header can do that.
void sortAsByClick(QHeaderView &header, int column)
{
    const bool isSorted = header.sortIndicatorSection() == column;
    const bool isUpwards = header.sortIndicatorOrder() == Qt::AscendingOrder;
    if (isSorted && isUpwards)
        header.setSortIndicator(column, Qt::DescendingOrder);
    else if (isSorted && header.isSortIndicatorClearable())
        header.setSortIndicator(-1, Qt::AscendingOrder);
    else
        header.setSortIndicator(column, Qt::AscendingOrder);
}

} // namespace

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

void addSortMenu(QTableView &table)
{
    auto *menu = new QMenu(QCoreApplication::translate("pipescope::widgets", "&Sort by"), &table);
    menu->setObjectName("sort");
    QHeaderView *header = table.horizontalHeader();
    for (int column = 0; column < table.model()->columnCount(); ++column) {
        QAction *sorts = menu->addAction(QString());
        sorts->setCheckable(true);
        QObject::connect(sorts, &QAction::triggered, header, [header, column] { sortAsByClick(*header, column); });
    }
    QTableView *view = &table;
    const auto name = [menu, view] { // some name a unit, which may be another by now
        const QList<QAction *> columns = menu->actions();
        for (int column = 0; column < columns.size(); ++column)
            columns[column]->setText(view->model()->headerData(column, Qt::Horizontal).toString());
    };
    name();
    QObject::connect(menu, &QMenu::aboutToShow, view, name);
    const auto check = [menu](int sorted) {
        const QList<QAction *> columns = menu->actions();
        for (qsizetype column = 0; column < columns.size(); ++column)
            columns[column]->setChecked(column == sorted);
    };
    check(header->sortIndicatorSection());
    QObject::connect(header, &QHeaderView::sortIndicatorChanged, menu, check);
    table.addAction(menu->menuAction());
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

#include "widgets/column_menu.h"

#include "support/qt_warnings.h"
#include "support/test_program.h"
#include "widgets/table.h"

#include <QAction>
#include <QApplication>
#include <QContextMenuEvent>
#include <QFile>
#include <QHeaderView>
#include <QMenu>
#include <QSettings>
#include <QStandardItemModel>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>

using namespace pipescope;

namespace {

struct ColumnMenuDesk
{
    QStandardItemModel model;
    QTableView table;

    explicit ColumnMenuDesk(int columns = 2, const char *name = "stages")
        : model(3, columns)
    {
        model.setHorizontalHeaderLabels(QStringList{"stage", "name", "bytes"}.mid(0, columns));
        widgets::dressTable(table, name, "Stages");
        table.setModel(&model);
    }
    [[nodiscard]] QList<QAction *> columns() const { return table.findChild<QMenu *>("columns")->actions(); }
    /// '1' for a column that is shown.
    [[nodiscard]] QString shown() const
    {
        QString shown;
        for (int column = 0; column < model.columnCount(); ++column)
            shown += table.isColumnHidden(column) ? '0' : '1';
        return shown;
    }
    /// The second column, from the top.
    [[nodiscard]] QString names() const
    {
        QStringList names;
        for (int row = 0; row < table.model()->rowCount(); ++row)
            names += table.model()->index(row, 1).data().toString();
        return names.join(' ');
    }
};

QMenu *openMenu()
{
    return qobject_cast<QMenu *>(QApplication::activePopupWidget());
}

/// By keys alone: the context menu, "Sort by", the column of this name. What was checked there before, by commas.
QString sortBy(QTableView &table, const QString &column)
{
    QStringList checked;
    QTimer::singleShot(0, &table, [&] {
        QMenu *context = openMenu();
        if (context == nullptr)
            return;
        QTest::keyClick(context, Qt::Key_S);
        if (QTest::qWaitFor([&] { return openMenu() != context; }, 30'000) && openMenu() != nullptr) {
            QMenu *columns = openMenu();
            for (const QAction *action : columns->actions())
                if (action->isChecked())
                    checked += action->text();
            for (int tries = 0; tries < 9; ++tries)
                if (columns->activeAction() == nullptr || columns->activeAction()->text() != column)
                    QTest::keyClick(columns, Qt::Key_Down);
            QTest::keyClick(columns, Qt::Key_Return);
        }
        context->close();
    });
    QContextMenuEvent event(QContextMenuEvent::Keyboard, QPoint(), table.mapToGlobal(QPoint()));
    QApplication::sendEvent(&table, &event);
    return checked.join(',');
}

} // namespace

class TestColumnMenu : public QObject
{
    Q_OBJECT

    QTemporaryDir m_folder;

    [[nodiscard]] QString file() const { return m_folder.filePath("settings.ini"); }

private Q_SLOTS:
    void init()
    {
        tests::failOnWarnings();
        QFile::remove(file());
    }

    void columnsAreShownAndHiddenByTheirMenu()
    {
        ColumnMenuDesk desk;
        widgets::addColumnMenu(desk.table, {1});
        QVERIFY(desk.table.isColumnHidden(1));
        const QList<QAction *> columns = desk.table.findChild<QMenu *>("columns")->actions();
        QCOMPARE(columns.size(), 2);
        QCOMPARE(columns[1]->text(), QString("name"));
        QVERIFY(!columns[1]->isChecked());
        columns[0]->trigger(); // the last one stays
        QVERIFY(columns[0]->isChecked() && !desk.table.isColumnHidden(0));
        columns[1]->trigger();
        QVERIFY(!desk.table.isColumnHidden(1));
        columns[0]->trigger();
        QVERIFY(desk.table.isColumnHidden(0));
        QVERIFY(desk.table.actions().contains(desk.table.findChild<QMenu *>("columns")->menuAction()));
        QCOMPARE(desk.table.horizontalHeader()->actions().size(), 2);
    }

    void choicesAreThereAtTheNextStart()
    {
        {
            QSettings settings(file(), QSettings::IniFormat);
            ColumnMenuDesk desk(3);
            widgets::addColumnMenu(desk.table, {1});
            widgets::keepColumns(desk.table, settings);
            QCOMPARE(desk.shown(), QString("101"));
            desk.columns()[1]->trigger();
            desk.columns()[0]->trigger();
            QCOMPARE(desk.shown(), QString("011"));
        }
        QSettings settings(file(), QSettings::IniFormat);
        ColumnMenuDesk again(3);
        widgets::addColumnMenu(again.table, {1});
        widgets::keepColumns(again.table, settings);
        QCOMPARE(again.shown(), QString("011"));
        QVERIFY(again.columns()[1]->isChecked() && !again.columns()[0]->isChecked());
        ColumnMenuDesk other(3, "nodes");
        widgets::addColumnMenu(other.table, {1});
        widgets::keepColumns(other.table, settings);
        QCOMPARE(other.shown(), QString("101"));
    }

    void theLastColumnThatIsShownMayBeAnother()
    {
        QSettings settings(file(), QSettings::IniFormat);
        ColumnMenuDesk desk;
        widgets::addColumnMenu(desk.table, {1});
        widgets::keepColumns(desk.table, settings);
        desk.columns()[1]->trigger();
        desk.columns()[0]->trigger();
        ColumnMenuDesk again;
        widgets::addColumnMenu(again.table, {1});
        widgets::keepColumns(again.table, settings);
        QCOMPARE(again.shown(), QString("01"));
    }

    void aChoiceAmongOtherColumnsIsForgotten()
    {
        QSettings settings(file(), QSettings::IniFormat);
        ColumnMenuDesk before(3);
        widgets::addColumnMenu(before.table, {});
        widgets::keepColumns(before.table, settings);
        before.columns()[0]->trigger();
        ColumnMenuDesk desk;
        widgets::addColumnMenu(desk.table, {1});
        widgets::keepColumns(desk.table, settings);
        QCOMPARE(desk.shown(), QString("10"));
    }

    void aTableIsSortedByKeys()
    {
        ColumnMenuDesk desk;
        const QStringList names{"mid", "low", "top"};
        for (int row = 0; row < 3; ++row) {
            desk.model.setItem(row, 0, new QStandardItem(QString::number(row)));
            desk.model.setItem(row, 1, new QStandardItem(names[row]));
        }
        desk.table.setSortingEnabled(true);
        desk.table.sortByColumn(0, Qt::AscendingOrder);
        widgets::addSortMenu(desk.table);
        desk.table.show();
        QCOMPARE(desk.names(), QString("mid low top"));
        QCOMPARE(sortBy(desk.table, "name"), QString("stage"));
        QCOMPARE(desk.names(), QString("low mid top"));
        QCOMPARE(sortBy(desk.table, "name"), QString("name"));
        QCOMPARE(desk.names(), QString("top mid low"));
        QCOMPARE(sortBy(desk.table, "name"), QString("name"));
        QCOMPARE(desk.names(), QString("low mid top"));
        desk.model.setHorizontalHeaderLabels({"stage", "name in ms"});
        QCOMPARE(sortBy(desk.table, "stage"), QString("name in ms"));
        QCOMPARE(desk.names(), QString("mid low top"));
    }

    void whereAHeadingCanBeUnsortedTheMenuCanToo()
    {
        ColumnMenuDesk desk;
        desk.table.setSortingEnabled(true);
        desk.table.horizontalHeader()->setSortIndicator(-1, Qt::AscendingOrder);
        desk.table.horizontalHeader()->setSortIndicatorClearable(true);
        widgets::addSortMenu(desk.table);
        desk.table.show();
        QCOMPARE(sortBy(desk.table, "name"), QString());
        QCOMPARE(sortBy(desk.table, "name"), QString("name"));
        QCOMPARE(desk.table.horizontalHeader()->sortIndicatorOrder(), Qt::DescendingOrder);
        QCOMPARE(sortBy(desk.table, "name"), QString("name"));
        QCOMPARE(desk.table.horizontalHeader()->sortIndicatorSection(), -1);
        QCOMPARE(sortBy(desk.table, "stage"), QString());
    }

    void settingsThatSayNonsenseHideNotEverything()
    {
        QSettings settings(file(), QSettings::IniFormat);
        settings.setValue("columns/stages/count", 2);
        settings.setValue("columns/stages/hidden", QStringList{"0", "1", "-3", "all", "99999999999"});
        ColumnMenuDesk desk;
        widgets::addColumnMenu(desk.table, {});
        widgets::keepColumns(desk.table, settings);
        QVERIFY(desk.shown().contains('1'));
    }
};

PIPESCOPE_WIDGET_TEST(TestColumnMenu)
#include "tst_column_menu.moc"

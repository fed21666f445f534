#include "widgets/column_menu.h"

#include "support/qt_warnings.h"
#include "widgets/table.h"

#include <QAction>
#include <QHeaderView>
#include <QMenu>
#include <QSettings>
#include <QStandardItemModel>
#include <QTableView>
#include <QTemporaryDir>
#include <QtTest>

using namespace pipescope;

namespace {

struct Desk
{
    QStandardItemModel model;
    QTableView table;

    explicit Desk(int columns = 2, const char *name = "stages")
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
};

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
        Desk desk;
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
            Desk desk(3);
            widgets::addColumnMenu(desk.table, {1});
            widgets::keepColumns(desk.table, settings);
            QCOMPARE(desk.shown(), QString("101"));
            desk.columns()[1]->trigger();
            desk.columns()[0]->trigger();
            QCOMPARE(desk.shown(), QString("011"));
        }
        QSettings settings(file(), QSettings::IniFormat);
        Desk again(3);
        widgets::addColumnMenu(again.table, {1});
        widgets::keepColumns(again.table, settings);
        QCOMPARE(again.shown(), QString("011"));
        QVERIFY(again.columns()[1]->isChecked() && !again.columns()[0]->isChecked());
        Desk other(3, "nodes");
        widgets::addColumnMenu(other.table, {1});
        widgets::keepColumns(other.table, settings);
        QCOMPARE(other.shown(), QString("101"));
    }

    void theLastColumnThatIsShownMayBeAnother()
    {
        QSettings settings(file(), QSettings::IniFormat);
        Desk desk;
        widgets::addColumnMenu(desk.table, {1});
        widgets::keepColumns(desk.table, settings);
        desk.columns()[1]->trigger();
        desk.columns()[0]->trigger();
        Desk again;
        widgets::addColumnMenu(again.table, {1});
        widgets::keepColumns(again.table, settings);
        QCOMPARE(again.shown(), QString("01"));
    }

    void aChoiceAmongOtherColumnsIsForgotten()
    {
        QSettings settings(file(), QSettings::IniFormat);
        Desk before(3);
        widgets::addColumnMenu(before.table, {});
        widgets::keepColumns(before.table, settings);
        before.columns()[0]->trigger();
        Desk desk;
        widgets::addColumnMenu(desk.table, {1});
        widgets::keepColumns(desk.table, settings);
        QCOMPARE(desk.shown(), QString("10"));
    }

    void settingsThatSayNonsenseHideNotEverything()
    {
        QSettings settings(file(), QSettings::IniFormat);
        settings.setValue("columns/stages/count", 2);
        settings.setValue("columns/stages/hidden", QStringList{"0", "1", "-3", "all", "99999999999"});
        Desk desk;
        widgets::addColumnMenu(desk.table, {});
        widgets::keepColumns(desk.table, settings);
        QVERIFY(desk.shown().contains('1'));
    }
};

QTEST_MAIN(TestColumnMenu)
#include "tst_column_menu.moc"

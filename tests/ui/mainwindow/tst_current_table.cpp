#include "mainwindow/current_table.h"

#include "support/qt_warnings.h"
#include "support/test_program.h"
#include "support/trace_builder.h"
#include "support/window_desk.h"
#include "trace/chrome_trace.h"

#include <QDockWidget>
#include <QTabBar>
#include <QTabWidget>
#include <QTableView>

using namespace pipescope;

namespace {

struct TableDesk : tests::WindowDesk
{
    mainwindow::CurrentTable current{window};

    TableDesk() { window.activateWindow(); }
    [[nodiscard]] QTableView &table(const char *name) const { return *find<QTableView>(name); }
    void openTrace() const
    {
        const std::string trace = trace::toChromeJson(tests::evenForward(2, 2, 1000));
        QVERIFY(
            const_cast<mainwindow::MainWindow &>(window).open(file("trace.json", QByteArray::fromStdString(trace))));
        QTRY_VERIFY(table("actions").isVisible());
    }
    void clickInto(QTableView &table) const
    {
        table.setFocus();
        QTRY_VERIFY(table.hasFocus());
    }
    /// With two outputs and as many microbatches; the check is in front.
    void finishRun() const
    {
        trigger("run");
        report::TracedRun run;
        run.stages.resize(2);
        run.trace = tests::evenForward(2, 2, 1000);
        run.equivalence.emplace();
        run.equivalence->byOutput.resize(2);
        run.equivalence->byMicrobatch.resize(2);
        answer(run);
        find<QDockWidget>("checkDock")->raise();
        QTRY_VERIFY(!table("differences").viewport()->visibleRegion().isEmpty());
    }
    static void clickRow(QTableView &table, int row)
    {
        QTest::mouseClick(table.viewport(), Qt::LeftButton, {},
                          table.visualRect(table.model()->index(row, 0)).center());
    }
    /// The tab of a dock, in front of which another one stands.
    void chooseDock(const QString &title) const
    {
        for (QTabBar *bar : window.findChildren<QTabBar *>())
            for (int tab = 0; bar->parentWidget() == &window && tab < bar->count(); ++tab)
                if (bar->tabText(tab) == title)
                    return QTest::mouseClick(bar, Qt::LeftButton, {}, bar->tabRect(tab).center());
        QFAIL("no such dock");
    }
    [[nodiscard]] QString exported() const
    {
        const_cast<mainwindow::MainWindow &>(window).findChild<actions::ActionTable *>()->refresh();
        return action("exportTable").text();
    }
};

} // namespace

class TestCurrentTable : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { tests::failOnWarnings(); }

    void itIsTheOneThatHadTheKeyboardLast()
    {
        TableDesk desk;
        desk.open();
        desk.find<QDockWidget>("runDock")->raise();
        desk.clickInto(desk.table("stages"));
        QCOMPARE(desk.current.find(), &desk.table("stages"));
        desk.clickInto(desk.table("inputs"));
        QCOMPARE(desk.current.find(), &desk.table("inputs"));
    }

    void aTabThatIsChosenBringsItsTableAndNotTheOneBehindIt()
    {
        TableDesk desk;
        desk.openTrace();
        desk.clickInto(desk.table("actions"));
        QCOMPARE(desk.current.find(), &desk.table("actions"));
        QCOMPARE(desk.exported(), QString("Export the ta&ble 'Actions'..."));
        auto &tabs = *desk.find<QTabWidget>("timelineTables");
        QTest::mouseClick(tabs.tabBar(), Qt::LeftButton, {}, tabs.tabBar()->tabRect(1).center());
        QCOMPARE(desk.current.find(), &desk.table("bubbles"));
        QCOMPARE(desk.exported(), QString("Export the ta&ble 'Bubbles'..."));
    }

    void aTabOfTheTimelineIsUsedThoughTheKeyboardIsInADock()
    {
        TableDesk desk;
        desk.open();
        desk.openTrace();
        desk.window.actionTable().action("showTimeline").trigger();
        desk.find<QDockWidget>("runDock")->raise();
        desk.clickInto(desk.table("inputs"));
        QCOMPARE(desk.current.find(), &desk.table("inputs"));
        auto &tabs = *desk.find<QTabWidget>("timelineTables");
        QTest::mouseClick(tabs.tabBar(), Qt::LeftButton, {}, tabs.tabBar()->tabRect(2).center());
        QCOMPARE(desk.current.find(), &desk.table("transfers"));
    }

    void aDockThatIsBroughtToTheFrontHasTheCurrentTable()
    {
        TableDesk desk;
        desk.open();
        desk.find<QDockWidget>("runDock")->raise();
        desk.clickInto(desk.table("inputs")); // stays seen
        desk.chooseDock("Split points");
        QTRY_VERIFY(!desk.find<QWidget>("splitDock")->visibleRegion().isEmpty());
        QVERIFY(desk.find<QWidget>("splitDock")->isAncestorOf(desk.current.find()));
    }

    void ofTwoTablesInADockItIsTheOneThatWasClicked()
    {
        TableDesk desk;
        desk.open();
        desk.finishRun();
        TableDesk::clickRow(desk.table("differences"), 1);
        QCOMPARE(desk.current.find(), &desk.table("differences"));
        QCOMPARE(desk.exported(), QString("Export the ta&ble 'Differences by microbatch'..."));
        TableDesk::clickRow(desk.table("outputs"), 0);
        QCOMPARE(desk.exported(), QString("Export the ta&ble 'Differences by output'..."));
        TableDesk::clickRow(desk.table("differences"), 0);
        QCOMPARE(desk.exported(), QString("Export the ta&ble 'Differences by microbatch'..."));
    }

    void aTableThatItsOwnCellsCoverIsSeen()
    {
        TableDesk desk;
        desk.open();
        desk.finishRun();
        for (auto *part : desk.table("differences").findChildren<QWidget *>())
            part->setAttribute(Qt::WA_OpaquePaintEvent); // as a style may have it
        TableDesk::clickRow(desk.table("differences"), 1);
        QVERIFY(desk.table("differences").visibleRegion().isEmpty());
        QCOMPARE(desk.current.find(), &desk.table("differences"));
    }

    void ofTwoTablesInADockItIsTheOneThatTheKeyboardCameTo()
    {
        TableDesk desk;
        desk.open();
        desk.finishRun();
        desk.clickInto(desk.table("outputs"));
        QTest::keyClick(&desk.table("outputs"), Qt::Key_Down);
        QCOMPARE(desk.exported(), QString("Export the ta&ble 'Differences by output'..."));
        QTest::keyClick(&desk.table("outputs"), Qt::Key_Tab);
        QTRY_VERIFY(desk.table("differences").hasFocus());
        QTest::keyClick(&desk.table("differences"), Qt::Key_Down);
        QCOMPARE(desk.exported(), QString("Export the ta&ble 'Differences by microbatch'..."));
        QTest::keyClick(&desk.table("differences"), Qt::Key_Backtab, Qt::ShiftModifier);
        QTRY_VERIFY(desk.table("outputs").hasFocus());
        QCOMPARE(desk.exported(), QString("Export the ta&ble 'Differences by output'..."));
    }
};

PIPESCOPE_WIDGET_TEST(TestCurrentTable)
#include "tst_current_table.moc"

#include "timeline/timeline_tables.h"

#include "runs.h"
#include "support/selected.h"
#include "timeline/timeline_view.h"

#include "support/test_program.h"

#include <QLabel>
#include <QRegularExpression>
#include <QTabBar>
#include <QTableView>
#include <QTest>
#include <QWidget>

using namespace pipescope;

class TestTimelineTables : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void columnsGrowWithWhatArrivesUntilTheUserMakesOthers()
    {
        session::Selection selection;
        timeline::TimelineView view(selection);
        QWidget window;
        timeline::TimelineTables tables(view, &window);
        tables.resize(900, 300);
        window.resize(900, 300);
        window.show();
        const auto showRun = [&](const tests::TraceBuilder &run) {
            tests::TraceBuilder copy = run;
            view.setTrace(std::make_shared<const trace::Trace>(copy.build()));
            tables.refresh();
        };
        tests::TraceBuilder begun(2, 2, 2);
        begun.compute(0, 0, 0, 0, 100).compute(1, 1, 0, 0, 100).compute(1, 1, 1, 150, 530);
        showRun(begun);
        QTableView &table = *tables.currentTable();
        const int last = table.model()->columnCount() - 1;
        const QAbstractItemView &items = table; // where its hint is public
        QVERIFY(table.model()->rowCount() > 0);
        tests::TraceBuilder later = tests::twoRanksTrace();
        later.compute(1, 1, 123'456'789, 540, 600);
        showRun(later);
        for (int column = 0; column < last; ++column)
            QVERIFY2(table.columnWidth(column) >= items.sizeHintForColumn(column),
                     qPrintable(table.model()->headerData(column, Qt::Horizontal).toString()));
        table.setColumnWidth(0, 30);
        showRun(tests::twoRanksTrace());
        QCOMPARE(table.columnWidth(0), 30);
    }

    void theHintOnKeysKeepsNoTableWide()
    {
        session::Selection selection;
        timeline::TimelineView view(selection);
        QWidget window;
        timeline::TimelineTables tables(view, &window);
        const auto *keys = tables.findChild<QLabel *>("timelineKeys");
        QVERIFY(tables.minimumSizeHint().width() < keys->sizeHint().width());
        tables.resize(1100, 300);
        window.resize(1100, 300);
        window.show();
        QVERIFY(keys->isVisible() && keys->width() >= keys->sizeHint().width());
        tables.resize(400, 300);
        QCOMPARE(tables.width(), 400);
        QVERIFY(!keys->isVisible());
    }

    void aRowIsLitOnlyWhileItIsSelected()
    {
        session::Selection selection;
        timeline::TimelineView view(selection);
        QWidget window;
        timeline::TimelineTables tables(view, &window);
        view.setTrace(std::make_shared<const trace::Trace>(tests::twoRanksTrace().build()));
        tables.refresh();
        tables.findChild<QTabBar *>()->setCurrentIndex(1); // Bubbles
        QTableView &table = *tables.currentTable();
        const auto litRows = [&] { return table.selectionModel()->selectedRows().size(); };
        QVERIFY(table.model()->rowCount() > 0);
        table.selectRow(0);
        QVERIFY(std::holds_alternative<session::SelectedSpan>(selection.current()));
        QCOMPARE(litRows(), 1);
        const session::SelectedSpan bubble = std::get<session::SelectedSpan>(selection.current());
        selection.clear(); // the whole run
        QCOMPARE(litRows(), 0);
        selection.select(bubble);
        QCOMPARE(litRows(), 1);
        selection.select(tests::forwardOf(0, 0)); // which is no bubble
        QCOMPARE(litRows(), 0);
    }

    void noTabIsCutWhateverTheWidth()
    {
        session::Selection selection;
        timeline::TimelineView view(selection);
        QWidget window;
        timeline::TimelineTables tables(view, &window);
        const auto *tabs = tables.findChild<QTabBar *>();
        const auto *keys = tables.findChild<QLabel *>("timelineKeys");
        window.resize(1100, 300);
        window.show();
        for (const int width : {1100, 400, 620, tabs->sizeHint().width(), 1100}) {
            tables.resize(width, 300);
            QVERIFY2(tabs->width() >= tabs->sizeHint().width(), qPrintable(QString::number(width)));
        }
        QVERIFY(keys->isVisible() && tabs->geometry().right() < keys->geometry().left());
    }
};

PIPESCOPE_WIDGET_TEST(TestTimelineTables)
#include "tst_timeline_tables.moc"

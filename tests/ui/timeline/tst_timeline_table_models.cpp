#include "timeline/action_table_model.h"
#include "timeline/bubble_table_model.h"
#include "timeline/transfer_table_model.h"

#include "runs.h"
#include "support/number_columns.h"
#include "support/test_program.h"
#include "widgets/export.h"

#include <QAbstractItemModelTester>
#include <QRegularExpression>
#include <QTest>

using namespace pipescope;
using timeline::ActionTableModel;
using timeline::BubbleTableModel;
using timeline::Spot;
using timeline::SpotTableModel;
using timeline::TransferTableModel;

namespace {

QString rowOf(const SpotTableModel &table, int row)
{
    QStringList cells;
    for (int column = 0; column < table.columnCount(); ++column)
        cells << table.index(row, column).data().toString();
    return cells.join('|');
}

QString headerOf(const SpotTableModel &table)
{
    QStringList cells;
    for (int column = 0; column < table.columnCount(); ++column)
        cells << table.headerData(column, Qt::Horizontal, Qt::DisplayRole).toString();
    return cells.join('|');
}

} // namespace

class TestTimelineTableModels : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void theModelsKeepTheRulesOfModels()
    {
        ActionTableModel actions;
        BubbleTableModel bubbles;
        TransferTableModel transfers;
        for (SpotTableModel *table : std::initializer_list<SpotTableModel *>{&actions, &bubbles, &transfers}) {
            const QAbstractItemModelTester tester(table, QAbstractItemModelTester::FailureReportingMode::QtTest);
            table->setModel(tests::twoRanks());
            QVERIFY(table->rowCount() > 0);
            for (int column = 0; column < table->columnCount(); ++column) {
                table->sort(column, Qt::DescendingOrder);
                table->sort(column);
            }
            table->setModel(tests::modelOf(tests::evenForward(3, 2, 10)));
            table->setModel(nullptr);
            QCOMPARE(table->rowCount(), 0);
        }
    }

    void anActionSaysWhatItWaitedForAndWhatCameIn()
    {
        ActionTableModel table;
        table.setModel(tests::twoRanks());
        QCOMPARE(headerOf(table),
                 QString("rank|action|stage|microbatch|start ns|duration ns|waited ns|bytes in|waited for"));
        QCOMPARE(table.rowCount(), 4);
        QCOMPARE(rowOf(table, 0), QString("0|0F0|0|0|0|100|0||"));
        QCOMPARE(rowOf(table, 1), QString("0|0F1|0|1|120|100|10||"));
        QCOMPARE(rowOf(table, 2), QString("1|1F0|1|0|115|200|105|64 B|0F0 on rank 0 (fill)"));
    }

    void aBubbleSaysItsShareAndWhy()
    {
        BubbleTableModel table;
        table.setModel(tests::twoRanks());
        QCOMPARE(headerOf(table), QString("rank|start ns|length ns|% of run|kind|for stage|why"));
        QCOMPARE(table.rowCount(), 4);
        QCOMPARE(rowOf(table, 1), QString("0|230|300|56.6|drain||drain: nothing left to compute"));
        QCOMPARE(rowOf(table, 2), QString("1|0|105|19.8|fill|0|fill: waiting for stage 0's microbatch 0"));
    }

    void tinyGapsAreHiddenUntilAskedFor()
    {
        tests::TraceBuilder builder(1, 1, 100);
        for (int i = 0; i < 100; ++i)
            builder.compute(0, 0, i, i * 10'000, i * 10'000 + 9'990);
        BubbleTableModel table;
        const QAbstractItemModelTester tester(&table, QAbstractItemModelTester::FailureReportingMode::QtTest);
        table.setModel(tests::modelOf(builder.build()));
        QCOMPARE(table.rowCount(), 0);
        QCOMPARE(table.tinyCount(), 99);
        QVERIFY(std::abs(table.tinyShare() - 0.00099) < 1e-6);
        table.setShowsTiny(true);
        QCOMPARE(table.rowCount(), 99);
    }

    void aTransferSaysFromWhereToWhere()
    {
        TransferTableModel table;
        table.setModel(tests::twoRanks());
        QCOMPARE(table.rowCount(), 4);
        QCOMPARE(rowOf(table, 0), QString("0|send|0|1|0|100|10|64 B|h0"));
        QCOMPARE(rowOf(table, 2), QString("1|receive|0|1|0|105|10|64 B|h0"));
    }

    void timesHaveOneUnitForTheirColumnAndThreeDigits()
    {
        ActionTableModel table;
        table.setModel(tests::modelOf(tests::evenForward(2, 2, 12'345'678)));
        QCOMPARE(table.headerData(ActionTableModel::Length, Qt::Horizontal, Qt::DisplayRole).toString(),
                 QString("duration ms"));
        QCOMPARE(rowOf(table, 1), QString("0|0F1|0|1|12.346|12.3|0.00||"));
        QCOMPARE(table.index(1, ActionTableModel::Length).data(SpotTableModel::NumberRole).toDouble(), 12'345'678.0);
    }

    void thousandsStandApartAndAreExportedAsPlainNumbers()
    {
        ActionTableModel table;
        table.setModel(tests::modelOf(tests::TraceBuilder(1, 1, 1).compute(0, 0, 0, 1'747'713, 2'802'713).build()));
        QCOMPARE(rowOf(table, 0), QStringLiteral("0|0F0|0|0|1\u202f747.713|1\u202f055|0.00||"));
        const QStringList lines = widgets::csvOf(table).split("\r\n");
        QCOMPARE(lines[1], QString("0,0F0,0,0,1747.713,1055,0.00,,"));
        QCOMPARE(widgets::tsvOf(table, {0}).section('\t', 4, 5), QString("1747.713\t1055"));
    }

    void numbersStandAtTheRightUnderTheirHeaders()
    {
        ActionTableModel actions;
        BubbleTableModel bubbles;
        TransferTableModel transfers;
        for (SpotTableModel *table : std::initializer_list<SpotTableModel *>{&actions, &bubbles, &transfers})
            table->setModel(tests::twoRanks());
        QCOMPARE(tests::numberColumns(actions), QString("start ns|duration ns|waited ns|bytes in"));
        QCOMPARE(tests::numberColumns(bubbles), QString("start ns|length ns|% of run"));
        QCOMPARE(tests::numberColumns(transfers), QString("start ns|duration ns|bytes"));
    }

    void sortingMovesRowsAndWhatPointsAtThem()
    {
        ActionTableModel table;
        table.setModel(tests::twoRanks());
        const QPersistentModelIndex first = table.index(0, ActionTableModel::Action);
        table.sort(ActionTableModel::Waited, Qt::DescendingOrder);
        QCOMPARE(table.index(0, ActionTableModel::Action).data().toString(), QString("1F0"));
        QCOMPARE(first.data().toString(), QString("0F0"));
        QVERIFY(first.row() > 0);
        QVERIFY((table.spotOf(first) == Spot{0, 0, -1}));
        QCOMPARE(table.rowOf({0, 0, -1}), first.row());
        QCOMPARE(table.rowOf({9, 0, -1}), -1);
        // The order stays for what comes after, and none is rank and begin again.
        table.setModel(tests::twoRanks());
        QCOMPARE(table.index(0, ActionTableModel::Action).data().toString(), QString("1F0"));
        table.sort(-1);
        QCOMPARE(table.index(0, ActionTableModel::Action).data().toString(), QString("0F0"));
    }

    void actionsAreSortedAsNumbersNotAsText()
    {
        ActionTableModel table;
        table.setModel(tests::modelOf(tests::evenForward(1, 12, 10)));
        table.sort(ActionTableModel::Action);
        QCOMPARE(table.index(2, ActionTableModel::Action).data().toString(), QString("0F2"));
        QCOMPARE(table.index(11, ActionTableModel::Action).data().toString(), QString("0F11"));
    }

    void whatWaitedForTheSameStandsTogether()
    {
        // Rank 1 wakes 800 ns after 0F1 was sent. 0F2 waits for credit of which nothing says who gave it.
        const auto model = tests::modelOf(tests::TraceBuilder(3, 3, 3)
                                              .compute(0, 0, 0, 0, 1000)
                                              .send(0, 0, 0, 1, 1000, 1000)
                                              .wait(1, 1, 0, trace::WaitCause::Input, 0, 1000, 0)
                                              .receive(1, 1, 0, 0, 1000, 1000)
                                              .compute(1, 1, 0, 1000, 1100)
                                              .compute(0, 0, 1, 1000, 1200)
                                              .send(0, 0, 1, 1, 1200, 1200)
                                              .wait(1, 1, 1, trace::WaitCause::Input, 1100, 2000, 0)
                                              .receive(1, 1, 1, 0, 2000, 2000)
                                              .compute(1, 1, 1, 2000, 2100)
                                              .wait(0, 0, 2, trace::WaitCause::Credit, 1200, 1500)
                                              .compute(0, 0, 2, 1500, 2500)
                                              .send(0, 0, 2, 1, 2500, 2500)
                                              .wait(1, 1, 2, trace::WaitCause::Input, 2100, 2500, 0)
                                              .receive(1, 1, 2, 0, 2500, 2500)
                                              .compute(1, 1, 2, 2500, 2600)
                                              .build());
        ActionTableModel table;
        table.setModel(model);
        table.sort(ActionTableModel::WaitedFor);
        QStringList rows;
        for (int row = 0; row < table.rowCount(); ++row)
            rows << table.index(row, ActionTableModel::Action).data().toString() + ": " +
                        table.index(row, ActionTableModel::WaitedFor).data().toString();
        QCOMPARE(rows.join(", "), QString("0F0: , 0F1: , 0F2: credit, 1F1: nothing (not running), 1F0: 0F0 on rank 0 "
                                          "(fill), 1F2: 0F2 on rank 0"));
    }

    void aColumnIsHeadedByWhatStandsInIt()
    {
        const auto headingOf = [](const SpotTableModel &table, int column) {
            return table.headerData(column, Qt::Horizontal, Qt::DisplayRole).toString();
        };
        ActionTableModel actions;
        QCOMPARE(headingOf(actions, ActionTableModel::Stage), QString("stage"));
        QCOMPARE(headingOf(actions, ActionTableModel::Waited), QString("waited"));
        QCOMPARE(headingOf(actions, ActionTableModel::WaitedFor), QString("waited for"));
        BubbleTableModel bubbles;
        QCOMPARE(headingOf(bubbles, BubbleTableModel::Share), QString("% of run"));
        QCOMPARE(headingOf(bubbles, BubbleTableModel::Why), QString("why"));
        TransferTableModel transfers;
        QCOMPARE(headingOf(transfers, TransferTableModel::To), QString("to stage"));
        QCOMPARE(headingOf(transfers, TransferTableModel::Value), QString("value"));
    }
};

PIPESCOPE_TEST(TestTimelineTableModels)
#include "tst_timeline_table_models.moc"

#include "timeline/slice_table_model.h"

#include "runs.h"

#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QtTest>

using namespace pipescope;
using timeline::SliceTableModel;
using timeline::Spot;

namespace {

QString rowOf(const SliceTableModel &table, int row)
{
    QStringList cells;
    for (int column = 0; column < table.columnCount(); ++column)
        cells << table.index(row, column).data().toString();
    return cells.join('|');
}

} // namespace

class TestSliceTableModel : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void theModelKeepsTheRulesOfModels()
    {
        SliceTableModel table;
        const QAbstractItemModelTester tester(&table, QAbstractItemModelTester::FailureReportingMode::QtTest);
        table.setModel(tests::twoRanks());
        QCOMPARE(table.rowCount(), 13);
        table.sort(SliceTableModel::Length, Qt::DescendingOrder);
        table.sort(SliceTableModel::Cause);
        table.setModel(tests::modelOf(tests::evenForward(3, 2, 10)));
        table.setModel(nullptr);
        QCOMPARE(table.rowCount(), 0);
    }

    void rowsSayWhatHappenedByRankAndBegin()
    {
        SliceTableModel table;
        table.setModel(tests::twoRanks());
        QCOMPARE(rowOf(table, 0), QString("0|compute|0F0|0|0|0|100|"));
        QCOMPARE(rowOf(table, 1), QString("0|send|send h0 to stage 1|0|0|100|10|"));
        QCOMPARE(rowOf(table, 2), QString("0|bubble||||110|10|between two actions"));
        QCOMPARE(rowOf(table, 6), QString("1|wait|wait (input)|1|0|0|105|input"));
        QCOMPARE(rowOf(table, 7), QString("1|bubble||0|0|0|105|warm-up: waiting for stage 0's microbatch 0"));
        QCOMPARE(table.headerData(SliceTableModel::Begin, Qt::Horizontal, Qt::DisplayRole).toString(),
                 QString("begin ns"));
    }

    void timesHaveOneUnitForTheirColumnAndThreeDigits()
    {
        SliceTableModel table;
        table.setModel(tests::modelOf(tests::evenForward(2, 2, 12'345'678)));
        QCOMPARE(table.headerData(SliceTableModel::Length, Qt::Horizontal, Qt::DisplayRole).toString(),
                 QString("length ms"));
        QCOMPARE(rowOf(table, 1), QString("0|compute|0F1|0|1|12.346|12.3|"));
        QCOMPARE(table.index(1, SliceTableModel::Length).data(SliceTableModel::NumberRole).toLongLong(), 12'345'678LL);
    }

    void sortingMovesRowsAndWhatPointsAtThem()
    {
        SliceTableModel table;
        table.setModel(tests::twoRanks());
        const QPersistentModelIndex first = table.index(0, SliceTableModel::Action);
        table.sort(SliceTableModel::Length, Qt::DescendingOrder);
        QCOMPARE(rowOf(table, 0), QString("0|bubble||||230|300|cool-down: nothing left to compute"));
        QCOMPARE(first.data().toString(), QString("0F0"));
        QVERIFY(first.row() > 0);
        QVERIFY((table.spotOf(first) == Spot{0, 0, -1}));
        QCOMPARE(table.rowOf({0, 0, -1}), first.row());
        QCOMPARE(table.rowOf({9, 0, -1}), -1);
    }

    void theTableIsTakenElsewhereAsText()
    {
        SliceTableModel table;
        trace::Trace trace = tests::TraceBuilder(1, 1, 1).compute(0, 0, 0, 5, 2'000'005).build();
        trace.events[0].action = "a \"b\", c";
        table.setModel(tests::modelOf(trace));
        QCOMPARE(table.toCsv(), QString("rank,kind,action,stage,microbatch,begin_ns,length_ns,cause\n"
                                        "0,compute,\"a \"\"b\"\", c\",0,0,5,2000000,\n"));
    }
};

QTEST_GUILESS_MAIN(TestSliceTableModel)
#include "tst_slice_table_model.moc"

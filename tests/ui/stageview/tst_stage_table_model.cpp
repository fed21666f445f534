#include "stageview/stage_table_model.h"

#include "support/graph_builder.h"
#include "support/qt_warnings.h"

#include <QAbstractItemModelTester>
#include <QtTest>

using namespace pipescope;
using stageview::StageTableModel;

namespace {

graph::ModelGraph profiled()
{
    return tests::graphFromText(R"(
        in x
        param w0 layers.0.weight 4096
        param w1 layers.1.weight 64
        call layers.0
        a = aten::linear x w0 @0.25 %1000
        end
        call layers.1
        b = aten::linear a w1
        end
        return b
    )");
}

plan::Plan splitAt(const std::string &word)
{
    plan::Plan plan;
    plan.splits = {word};
    return plan;
}

QString cell(const StageTableModel &model, int row, int column)
{
    return model.index(row, column).data().toString();
}

} // namespace

class TestStageTableModel : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { tests::failOnWarnings(); }

    void aRowPerStageShowsWhatIsKnownBeforeARun()
    {
        StageTableModel model;
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        const auto graph = profiled();
        const session::Staging staging = session::stagingOf(splitAt("layers.1"), graph);
        model.show(graph, staging, staging.stages);
        QCOMPARE(model.rowCount(), 2);
        QCOMPARE(cell(model, 0, StageTableModel::BeginsAt), QString("(beginning)"));
        QCOMPARE(cell(model, 1, StageTableModel::BeginsAt), QString("layers.1"));
        QCOMPARE(cell(model, 0, StageTableModel::Bytes), QString("4.00 KiB"));
        QCOMPARE(cell(model, 0, StageTableModel::Time), QString("250 ms"));
        QCOMPARE(cell(model, 0, StageTableModel::Flops), QString("1.00 k"));
        QCOMPARE(cell(model, 1, StageTableModel::Time), QString("unknown"));
        QCOMPARE(cell(model, 1, StageTableModel::Sends), QString("unknown"));
    }

    void aRunsOwnTimesTakeTheirPlace()
    {
        StageTableModel model;
        const auto graph = profiled();
        const session::Staging staging = session::stagingOf(splitAt("layers.1"), graph);
        auto measured = staging.stages;
        measured[1].rank = RankId{1};
        measured[1].seconds = 0.002;
        measured[1].sentBytes = 2048;
        model.show(graph, staging, measured);
        QCOMPARE(cell(model, 1, StageTableModel::Time), QString("2.00 ms"));
        QCOMPARE(cell(model, 1, StageTableModel::Sends), QString("2.00 KiB"));
        QCOMPARE(model.index(1, StageTableModel::Time).data(Qt::EditRole).toDouble(), 0.002);
    }

    void everyColumnHasAName()
    {
        const StageTableModel model;
        for (int column = 0; column < model.columnCount(); ++column)
            QVERIFY(!model.headerData(column, Qt::Horizontal, Qt::DisplayRole).toString().isEmpty());
    }
};

QTEST_GUILESS_MAIN(TestStageTableModel)
#include "tst_stage_table_model.moc"

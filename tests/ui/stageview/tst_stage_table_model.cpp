#include "stageview/stage_table_model.h"

#include "support/graph_builder.h"
#include "support/number_columns.h"
#include "support/qt_warnings.h"
#include "support/test_program.h"

#include <QAbstractItemModelTester>
#include <QTest>

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
        a = aten::linear x w0 @0.25 %1000 *2048
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
        model.show(graph, staging);
        QCOMPARE(model.rowCount(), 2);
        QCOMPARE(cell(model, 0, StageTableModel::What), QString("layers.0"));
        QCOMPARE(cell(model, 1, StageTableModel::What), QString("layers.1"));
        QCOMPARE(cell(model, 0, StageTableModel::Parameters), QString("4.00 KiB"));
        QCOMPARE(cell(model, 0, StageTableModel::Time), QString("250 ms"));
        QCOMPARE(cell(model, 0, StageTableModel::Flops), QString("1.00 k"));
        QCOMPARE(cell(model, 1, StageTableModel::Time), QString("unknown"));
        QCOMPARE(cell(model, 1, StageTableModel::Flops), QString("unknown"));
        QCOMPARE(cell(model, 1, StageTableModel::Memory), QString("unknown"));
        QCOMPARE(cell(model, 0, StageTableModel::Receives), QString("x"));
        QCOMPARE(cell(model, 0, StageTableModel::Sends), QString("layers.0 2.00 KiB"));
        QVERIFY(!model.index(0, StageTableModel::Time).data(StageTableModel::ShareRole).isValid());
        QVERIFY(model.seconds().empty()); // one of them is not known
    }

    void aRunsOwnTimesTakeTheirPlace()
    {
        StageTableModel model;
        const auto graph = profiled();
        const session::Staging staging = session::stagingOf(splitAt("layers.1"), graph);
        report::RunReport run;
        run.stages.resize(2);
        run.stages[0].rank = RankId{0};
        run.stages[0].seconds = 0.001;
        run.stages[1].rank = RankId{1};
        run.stages[1].seconds = 0.002;
        run.stages[0].sentBytes = 512;
        run.stats.ranks.resize(2);
        run.stats.ranks[1].peakBytes = 4096;
        model.show(graph, staging, &run);
        QCOMPARE(cell(model, 1, StageTableModel::Time), QString("2.00 ms"));
        QCOMPARE(cell(model, 1, StageTableModel::Memory), QString("4.00 KiB"));
        QCOMPARE(cell(model, 0, StageTableModel::Memory), QString("0 B")); // it ran, and allocated nothing
        QCOMPARE(model.index(0, StageTableModel::Time).data(StageTableModel::ShareRole).toDouble(), 0.5);
        QVERIFY(model.index(0, StageTableModel::Sends).data(Qt::ToolTipRole).toString().contains("512 B a microbatch"));
        QCOMPARE(model.headerData(StageTableModel::Time, Qt::Horizontal, Qt::DisplayRole).toString(),
                 QString("time a microbatch"));
        QCOMPARE(model.index(1, StageTableModel::Time).data(Qt::EditRole).toDouble(), 0.002);
    }

    void constantsOfTheCodeAreAmongTheBytesAndToldInTheToolTip()
    {
        const auto graph = tests::graphFromText(R"(
            in x
            param w layers.0.weight 1024
            const c table 2048
            call layers.0
            a = aten::linear x w c
            end
            call layers.1
            b = aten::sin a
            end
            return b
        )");
        StageTableModel model;
        model.show(graph, session::stagingOf(splitAt("layers.1"), graph));
        const auto toolTip = [&](int row) {
            return model.index(row, StageTableModel::Parameters).data(Qt::ToolTipRole).toString();
        };
        QCOMPARE(cell(model, 0, StageTableModel::Parameters), QString("3.00 KiB"));
        QVERIFY(toolTip(0).endsWith("buffers 0 B; constants of the code 2.00 KiB"));
        QCOMPARE(cell(model, 1, StageTableModel::Parameters), QString("0 B"));
        QVERIFY(toolTip(1).endsWith("buffers 0 B"));
    }

    void whatGoesBetweenStagesIsNamedAsTheStagesAre()
    {
        const auto graph = tests::graphFromText(R"(
            in x
            call layers.1.net1
            a = aten::linear x
            end
            call layers.1.net2
            b = aten::linear a
            end
            call layers.2.net1
            c = aten::linear b
            end
            return c
        )");
        StageTableModel model;
        model.show(graph, session::stagingOf(splitAt("layers.2.net1"), graph));
        QCOMPARE(cell(model, 0, StageTableModel::What), QString("layers.1.net1, layers.1.net2"));
        QCOMPARE(cell(model, 0, StageTableModel::Sends), QString("layers.1.net2"));
        QCOMPARE(cell(model, 1, StageTableModel::Receives), QString("layers.1.net2"));
    }

    void afterARunEveryColumnOfCostsSaysOfWhatItIs()
    {
        StageTableModel model;
        const auto graph = profiled();
        const session::Staging staging = session::stagingOf(splitAt("layers.1"), graph);
        QCOMPARE((model.show(graph, staging), cell(model, 1, StageTableModel::Sends)), QString("nothing"));
        report::RunReport run;
        run.stages.resize(2);
        run.stages[0].rank = RankId{0};
        run.stages[1].rank = RankId{1};
        run.stages[0].sentBytes = 512;
        model.show(graph, staging, &run);
        const auto title = [&](int column) {
            return model.headerData(column, Qt::Horizontal, Qt::DisplayRole).toString();
        };
        QCOMPARE(title(StageTableModel::Flops), QString("FLOPs a batch"));
        QCOMPARE(title(StageTableModel::Receives), QString("receives a batch"));
        QCOMPARE(title(StageTableModel::Sends), QString("sends a microbatch"));
        QCOMPARE(cell(model, 0, StageTableModel::Sends), QString("512 B")); // as pipescope-cli has it
        QCOMPARE(cell(model, 1, StageTableModel::Sends), QString("0 B"));
    }

    void theSlowestStageSetsThePace()
    {
        QCOMPARE(stageview::paceText({0.0098, 0.0101, 0.01, 0.0129}),
                 QString("slowest stage sets the pace: 12.9 ms, mean 10.7 ms, imbalance 20.6 %"));
        QCOMPARE(stageview::paceText({0.1}), QString());
        QCOMPARE(stageview::paceText({0, 0}), QString());
    }

    void numbersStandAtTheRightUnderTheirHeaders()
    {
        StageTableModel model;
        const auto graph = profiled();
        model.show(graph, session::stagingOf(splitAt("layers.1"), graph));
        QCOMPARE(tests::numberColumns(model), QString("nodes|parameters|FLOPs|time of the profile|memory"));
        QVERIFY(model.columnCount() > StageTableModel::Memory + 1); // the last is stretched: words stay at its left
    }

    void everyColumnHasAName()
    {
        const StageTableModel model;
        for (int column = 0; column < model.columnCount(); ++column)
            QVERIFY(!model.headerData(column, Qt::Horizontal, Qt::DisplayRole).toString().isEmpty());
    }
};

PIPESCOPE_TEST(TestStageTableModel)
#include "tst_stage_table_model.moc"

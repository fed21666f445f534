#include "plan/stage_feeds.h"

#include "support/graph_builder.h"
#include "support/test_program.h"

#include <QTest>

using namespace pipescope;
using schedule::Feeds;

class TestStageFeeds : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    // a goes to stages 1 and 2, x from the caller to stage 3 alone, which feeds nobody and is fed by nobody.
    void transfersBetweenStagesCountAndArgumentsDoNot()
    {
        partition::Partition partition;
        partition.stages.resize(4);
        partition.transfers = {{ValueId{0}, {}, StageId{0}},         {ValueId{0}, {}, StageId{3}},
                               {ValueId{1}, StageId{0}, StageId{1}}, {ValueId{1}, StageId{0}, StageId{2}},
                               {ValueId{2}, StageId{0}, StageId{2}}, {ValueId{3}, StageId{1}, StageId{2}}};
        QVERIFY(plan::feedsOf(partition) == Feeds(4, {{{0}, {1}}, {{0}, {2}}, {{1}, {2}}}));
    }

    void aSplitModelsSkipIsAnEdge()
    {
        const graph::ModelGraph graph =
            tests::graphFromText("in x\na = aten::relu x\nb = aten::neg a\ny = aten::add a b\nreturn y");
        const auto made = partition::makePartition(graph, {1, 2});
        QVERIFY(made);
        QVERIFY(plan::feedsOf(*made) == Feeds(3, {{{0}, {1}}, {{0}, {2}}, {{1}, {2}}}));
    }

    void oneStageFeedsNobody()
    {
        partition::Partition partition;
        partition.stages.resize(1);
        QVERIFY(plan::feedsOf(partition) == Feeds::chain(1));
    }
};

PIPESCOPE_TEST(TestStageFeeds)
#include "tst_stage_feeds.moc"

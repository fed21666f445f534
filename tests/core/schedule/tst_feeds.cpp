#include "schedule/feeds.h"

#include "support/test_program.h"

#include <QTest>

using namespace pipescope;
using namespace pipescope::schedule;

namespace {

using Stages = std::vector<StageId>;

Stages listOf(std::span<const StageId> stages)
{
    return {stages.begin(), stages.end()};
}

} // namespace

class TestFeeds : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void inAChainEachStageFeedsTheNext()
    {
        const Feeds chain = Feeds::chain(3);
        QCOMPARE(chain.stages(), 3);
        QCOMPARE(listOf(chain.producersOf(StageId{0})), Stages{});
        QCOMPARE(listOf(chain.producersOf(StageId{1})), (Stages{{0}}));
        QCOMPARE(listOf(chain.producersOf(StageId{2})), (Stages{{1}}));
        QCOMPARE(listOf(chain.consumersOf(StageId{0})), (Stages{{1}}));
        QCOMPARE(listOf(chain.consumersOf(StageId{1})), (Stages{{2}}));
        QCOMPARE(listOf(chain.consumersOf(StageId{2})), Stages{});
    }

    // 0 -> 1 -> 3, 0 -> 3; nothing feeds 2, which feeds 3.
    void edgesMaySkipStagesAndComeInAnyOrderAndTwice()
    {
        const Feeds feeds(4, {{{2}, {3}}, {{0}, {3}}, {{1}, {3}}, {{0}, {1}}, {{0}, {3}}});
        QCOMPARE(listOf(feeds.producersOf(StageId{3})), (Stages{{0}, {1}, {2}}));
        QCOMPARE(listOf(feeds.producersOf(StageId{2})), Stages{});
        QCOMPARE(listOf(feeds.producersOf(StageId{1})), (Stages{{0}}));
        QCOMPARE(listOf(feeds.consumersOf(StageId{0})), (Stages{{1}, {3}}));
        QCOMPARE(listOf(feeds.consumersOf(StageId{2})), (Stages{{3}}));
        QCOMPARE(listOf(feeds.consumersOf(StageId{3})), Stages{});
        QVERIFY(feeds == Feeds(4, {{{0}, {1}}, {{0}, {3}}, {{1}, {3}}, {{2}, {3}}}));
        QVERIFY(!(feeds == Feeds(4, {{{0}, {1}}, {{0}, {3}}, {{1}, {3}}})));
    }

    void aChainIsItsEdges() { QVERIFY(Feeds::chain(3) == Feeds(3, {{{0}, {1}}, {{1}, {2}}})); }

    void stagesThatThereAreNotHaveNoNeighbours()
    {
        for (const int stage : {-1, 2, 1'000'000}) {
            QVERIFY(Feeds::chain(2).producersOf(StageId{stage}).empty());
            QVERIFY(Feeds::chain(2).consumersOf(StageId{stage}).empty());
        }
        QCOMPARE(Feeds().stages(), 0);
        QVERIFY(Feeds().producersOf(StageId{0}).empty());
        QCOMPARE(Feeds::chain(1).stages(), 1);
    }
};

PIPESCOPE_TEST(TestFeeds)
#include "tst_feeds.moc"

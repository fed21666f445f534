#include "base/ids.h"

#include "support/test_program.h"

#include <QTest>
#include <type_traits>
#include <unordered_set>

using namespace pipescope;

class TestIds : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void anIdIsNoneUntilItIsGiven()
    {
        QVERIFY(!StageId().valid());
        QVERIFY(!StageId{-7}.valid());
        QVERIFY(StageId{0}.valid());
        QCOMPARE(StageId{3}.index(), std::size_t(3));
    }

    void idsAreOrderedByTheirNumber()
    {
        QVERIFY(MicrobatchId{1} < MicrobatchId{2});
        QVERIFY(MicrobatchId() < MicrobatchId{0});
        QVERIFY(MicrobatchId{2} == MicrobatchId{2} && MicrobatchId{2} != MicrobatchId{3});
    }

    void equalIdsHashAlike()
    {
        std::unordered_set<NodeId> nodes{NodeId{1}, NodeId{2}, NodeId{1}};
        QCOMPARE(nodes.size(), std::size_t(2));
        QVERIFY(nodes.contains(NodeId{2}) && !nodes.contains(NodeId{3}));
    }

    void oneKindOfIdIsNeverAnother()
    {
        QVERIFY((!std::is_convertible_v<StageId, RankId> && !std::is_constructible_v<RankId, StageId>));
        QVERIFY((!std::is_convertible_v<int, StageId> && !std::is_convertible_v<StageId, int>));
        QVERIFY((!std::is_invocable_v<std::equal_to<>, StageId, RankId>));
    }
};

PIPESCOPE_TEST(TestIds)
#include "tst_ids.moc"

#include "trace/explain/longest_bubbles.h"

#include "support/explained.h"
#include "support/test_program.h"

#include <QTest>

using namespace pipescope;
using trace::BubbleCause;
using trace::longestBubbles;
using trace::LongestBubbles;

class TestLongestBubbles : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    // Rank 0: 100-400 for credit, 500-800 drain. Rank 1: 0-100 fill, 400-500 for input.
    void theLongestComeFirstAndTheEarlierOfEquals()
    {
        const auto explained = tests::explained(tests::oneUnderWayTrace().build());
        const LongestBubbles longest = longestBubbles(*explained, 3);
        QCOMPARE(longest.told.size(), std::size_t{3});
        QVERIFY(longest.told[0].bubble.cause == BubbleCause::Credit);
        QVERIFY(longest.told[0].rank == RankId{0});
        QCOMPARE(longest.told[0].chain.size(), std::size_t{2}); // 0F0, 1F0
        QVERIFY(longest.told[1].bubble.cause == BubbleCause::CoolDown);
        QVERIFY(longest.told[2].bubble.cause == BubbleCause::WarmUp);
        QVERIFY(longest.told[2].rank == RankId{1});
        QCOMPARE(longest.others, std::size_t{1});
        QVERIFY(std::abs(longest.othersSeconds - 100e-9) < 1e-15);
    }

    void whereThereAreFewerAllAreTold()
    {
        const auto explained = tests::explained(tests::evenForward(2, 2, 10));
        const LongestBubbles longest = longestBubbles(*explained, 100);
        QCOMPARE(longest.told.size(), std::size_t{2});
        QCOMPARE(longest.others, std::size_t{0});
        QCOMPARE(longestBubbles(*explained, 0).others, std::size_t{2});
        QCOMPARE(longestBubbles(*tests::explained(trace::Trace{}), 5).told.size(), std::size_t{0});
    }
};

PIPESCOPE_TEST(TestLongestBubbles)
#include "tst_longest_bubbles.moc"

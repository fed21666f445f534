#include "trace/explain/longest_bubbles.h"

#include "support/explained.h"
#include "support/test_program.h"

#include <QTest>
#include <algorithm>

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
        QCOMPARE(longest.told[0].chain.links.size(), std::size_t{2}); // 0F0, 1F0
        QVERIFY(longest.told[1].bubble.cause == BubbleCause::CoolDown);
        QVERIFY(longest.told[2].bubble.cause == BubbleCause::WarmUp);
        QVERIFY(longest.told[2].rank == RankId{1});
        QCOMPARE(longest.others, std::size_t{1});
        QVERIFY(std::abs(longest.othersSeconds - 100e-9) < 1e-15);
    }

    void ofALongChainTheBeginningAndTheEndAreKept()
    {
        tests::TraceBuilder builder(2, 2, 100);
        for (int i = 0; i < 100; ++i) {
            const std::int64_t begin = 400 * i;
            if (i > 0)
                builder.creditWait(0, 0, i, 1, i - 1, begin - 300, begin);
            builder.compute(0, 0, i, begin, begin + 100).compute(1, 1, i, begin + 100, begin + 400);
        }
        const auto explained = tests::explained(builder.compute(0, 0, 0, 50'000, 50'001).build());
        const LongestBubbles longest = longestBubbles(*explained, 1000);
        std::size_t longestLeftOut = 0;
        for (const trace::ToldBubble &told : longest.told) {
            QVERIFY(told.chain.links.size() <= 16);
            QVERIFY(told.chain.leftOut == 0 || told.chain.links.size() == 16);
            longestLeftOut = std::max(longestLeftOut, told.chain.leftOut);
        }
        QVERIFY(longestLeftOut > 100);
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

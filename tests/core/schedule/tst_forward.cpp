#include "schedule/schedule_table.h"
#include "support/schedule_text.h"
#include "support/test_program.h"

#include <QTest>

using namespace pipescope;
using namespace pipescope::schedule;
using tests::shown;
using tests::textOf;

class TestForward : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void microbatchesGoThroughInOrder()
    {
        const auto schedule = buildSchedule("forward", {3, 3, 4});
        QVERIFY(schedule);
        QCOMPARE(textOf(*schedule),
                 (std::vector<std::string>{"0F0 0F1 0F2 0F3", "1F0 1F1 1F2 1F3", "2F0 2F1 2F2 2F3"}));
        QCOMPARE(schedule->name, std::string("forward"));
        QCOMPARE(schedule->stages, 3);
        QCOMPARE(schedule->microbatches, 4);
    }

    void aRankWithSeveralStagesRunsThemBreadthFirst()
    {
        const auto schedule = buildSchedule("forward", {2, 5, 2});
        QVERIFY(schedule);
        QCOMPARE(textOf(*schedule), (std::vector<std::string>{"0F0 0F1 2F0 2F1 4F0 4F1", "1F0 1F1 3F0 3F1"}));
        QCOMPARE(rankOfStage(*schedule), (std::vector<RankId>{{0}, {1}, {0}, {1}, {0}}));
    }

    void moreRanksThanStagesAreRefused()
    {
        const auto schedule = buildSchedule("forward", {3, 2, 4});
        QVERIFY(!schedule);
        QCOMPARE(schedule.error().code, ErrorCode::InvalidArgument);
        QCOMPARE(shown(schedule.error().message),
                 QString("a forward schedule needs no more ranks than stages, but got 3 ranks, 2 stages"));
        QVERIFY(!buildSchedule("forward", {0, 0, 4}));
        QVERIFY(!buildSchedule("forward", {2, 2, 0}));
    }
};

PIPESCOPE_TEST(TestForward)
#include "tst_forward.moc"

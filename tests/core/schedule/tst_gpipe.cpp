#include "schedule/schedule_table.h"
#include "support/schedule_text.h"
#include "support/test_program.h"

#include <QTest>

using namespace pipescope;
using namespace pipescope::schedule;
using tests::shown;
using tests::textOf;

class TestGpipe : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void backwardsFollowInTheOrderOfTheForwards()
    {
        const auto schedule = buildSchedule("gpipe", {2, 2, 3});
        QVERIFY(schedule);
        QCOMPARE(textOf(*schedule), (std::vector<std::string>{"0F0 0F1 0F2 0B0 0B1 0B2", "1F0 1F1 1F2 1B0 1B1 1B2"}));
        QCOMPARE(schedule->name, std::string("gpipe"));
    }

    // Pipelines that are refused by 1F1B for having fewer microbatches than stages run.
    void oneMicrobatchIsEnough()
    {
        const auto schedule = buildSchedule("gpipe", {2, 2, 1});
        QVERIFY(schedule);
        QCOMPARE(textOf(*schedule), (std::vector<std::string>{"0F0 0B0", "1F0 1B0"}));
    }

    void severalStagesOnARankAreRefused()
    {
        const auto schedule = buildSchedule("gpipe", {2, 4, 8});
        QVERIFY(!schedule);
        QCOMPARE(schedule.error().code, ErrorCode::InvalidArgument);
        QCOMPARE(
            shown(schedule.error().message),
            QString("GPipe runs one stage per rank, but got 4 stages on 2 ranks; use `forward` for several stages on "
                    "a rank"));
        QVERIFY(!buildSchedule("gpipe", {0, 0, 1}));
        QVERIFY(!buildSchedule("gpipe", {2, 2, 0}));
    }
};

PIPESCOPE_TEST(TestGpipe)
#include "tst_gpipe.moc"

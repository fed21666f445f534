#include "schedule/schedule_csv.h"
#include "schedule/schedule_table.h"
#include "schedule/validate_schedule.h"
#include "support/schedule_text.h"
#include "support/test_program.h"

#include <QTest>

using namespace pipescope;
using namespace pipescope::schedule;
using tests::scheduleOf;
using tests::shown;
using tests::textOf;

class TestScheduleTable : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aNameIsFoundWhateverItsCase()
    {
        QCOMPARE((*findSchedule("GPipe"))->key, std::string_view("gpipe"));
        QCOMPARE((*findSchedule("FORWARD"))->key, std::string_view("forward"));
        QVERIFY((*findSchedule("gpipe"))->trains);
        QVERIFY(!(*findSchedule("forward"))->trains);
    }

    void anUnknownNameListsTheKnownOnes()
    {
        const auto entry = findSchedule("gpip");
        QVERIFY(!entry);
        QCOMPARE(entry.error().code, ErrorCode::NotFound);
        QCOMPARE(
            shown(entry.error().message),
            QString("Unknown schedule name 'gpip'. The valid options are ['forward', 'gpipe']. Did you mean gpipe?"));
        QVERIFY(shown(findSchedule("foo").error().message).endsWith("The valid options are ['forward', 'gpipe']."));
        QVERIFY(!buildSchedule("foo", {1, 1, 1}));
    }

    // The common suite: whatever a row makes is valid, cannot deadlock, and survives its CSV form.
    void everyScheduleIsValidAndCannotDeadlock_data()
    {
        QTest::addColumn<QString>("key");
        for (const ScheduleEntry &entry : scheduleTable())
            QTest::newRow(std::string(entry.key).c_str()) << shown(std::string(entry.key));
    }
    void everyScheduleIsValidAndCannotDeadlock()
    {
        QFETCH(QString, key);
        const ScheduleEntry &entry = **findSchedule(key.toStdString());
        for (int stages = 1; stages <= 6; ++stages)
            for (int microbatches = 1; microbatches <= 12; ++microbatches) {
                const auto schedule = buildSchedule(entry.key, {stages, stages, microbatches});
                QVERIFY2(schedule, schedule ? "" : schedule.error().message.c_str());
                QCOMPARE(schedule->stages, stages);
                QCOMPARE(schedule->microbatches, microbatches);
                QCOMPARE(schedule->ranks.size(), static_cast<std::size_t>(stages));
                const Status valid = validateSchedule(*schedule, {.needsBackward = entry.trains});
                QVERIFY2(valid, valid ? "" : valid.error().message.c_str());
                QCOMPARE(*parseCsv(toCsv(*schedule), schedule->name), *schedule);
                // What a forward run does of it runs with one microbatch under way at a time.
                const Status forward =
                    validateSchedule(forwardPart(*schedule), {.needsBackward = false, .maxInFlight = 1});
                QVERIFY2(forward, forward ? "" : forward.error().message.c_str());
            }
    }

    void forwardIsValidWithSeveralStagesPerRank()
    {
        for (int ranks = 1; ranks <= 6; ++ranks)
            for (int stages = ranks; stages <= 12; ++stages)
                for (int microbatches = 1; microbatches <= 12; ++microbatches) {
                    const auto schedule = buildSchedule("forward", {ranks, stages, microbatches});
                    QVERIFY2(schedule, schedule ? "" : schedule.error().message.c_str());
                }
    }

    void aShapeWithoutAScheduleIsTheBuildFunctionsError()
    {
        const auto schedule = buildSchedule("gpipe", {2, 4, 8});
        QVERIFY(!schedule);
        QVERIFY(shown(schedule.error().message).startsWith("GPipe runs one stage per rank"));
    }

    void anAbsurdSizeIsRefused()
    {
        const auto schedule = buildSchedule("forward", {2, 2, 2'000'000'000});
        QVERIFY(!schedule);
        QCOMPARE(
            shown(schedule.error().message),
            QString("2 stages and 2000000000 microbatches make more than the 4000000 forwards a schedule may have; use "
                    "fewer microbatches"));
    }

    void theForwardPartLeavesBackwardsOut()
    {
        const Schedule schedule =
            scheduleOf({"0UNSHARD 0F0 0SEND_F0 . (0F1;0B0)OVERLAP_F_B 0WAIT_SEND_F0 0RECV_B1 0I1 0W1 "
                        "0REDUCE_GRAD 0WAIT_REDUCE_GRAD 0RESHARD",
                        "1RECV_F0 1F0 1B0 1SEND_B0 1WAIT_SEND_B0 . 1F1 1B1"});
        const Schedule forward = forwardPart(schedule);
        QCOMPARE(textOf(forward),
                 (std::vector<std::string>{"0UNSHARD 0F0 0SEND_F0 0F1 0WAIT_SEND_F0 0RESHARD", "1RECV_F0 1F0 1F1"}));
        QCOMPARE(forward.stages, 2);
        QCOMPARE(forward.microbatches, 2);
    }

    void theForwardPartOfGpipeIsForward()
    {
        const Schedule gpipe = *buildSchedule("gpipe", {3, 3, 4});
        QCOMPARE(textOf(forwardPart(gpipe)), textOf(*buildSchedule("forward", {3, 3, 4})));
    }

    void stageOwnersAreReadOffTheComputations()
    {
        const Schedule schedule = scheduleOf({"1UNSHARD (0F0;3B0)OVERLAP_F_B", "1F0 5F0"});
        QCOMPARE(rankOfStage(schedule), (std::vector<RankId>{{0}, {1}, {-1}, {0}, {-1}, {1}}));
    }
};

PIPESCOPE_TEST(TestScheduleTable)
#include "tst_schedule_table.moc"

#include "schedule/forwards_of.h"
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
                    validateSchedule(forwardsOf(*schedule), {.needsBackward = false, .maxInFlight = 1});
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

    void stageOwnersAreReadOffTheComputations()
    {
        const Schedule schedule = scheduleOf({"1UNSHARD (0F0;3B0)OVERLAP_F_B", "1F0 5F0"});
        QCOMPARE(rankOfStage(schedule), (std::vector<RankId>{{0}, {1}, {-1}, {0}, {-1}, {1}}));
    }
};

PIPESCOPE_TEST(TestScheduleTable)
#include "tst_schedule_table.moc"

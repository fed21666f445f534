#include "schedule/validate_schedule.h"
#include "support/schedule_text.h"
#include "support/test_program.h"

#include <QTest>

using namespace pipescope;
using namespace pipescope::schedule;
using tests::scheduleOf;
using tests::shown;

namespace {

QString faultIn(const Schedule &schedule, const ValidateOptions &options = {})
{
    const Status valid = validateSchedule(schedule, options);
    return valid ? QString() : shown(valid.error().message);
}

QString faultOf(const std::vector<std::string> &rows)
{
    return faultIn(scheduleOf(rows));
}

Schedule withMicrobatches(const std::vector<std::string> &rows, int microbatches)
{
    Schedule schedule = scheduleOf(rows);
    schedule.microbatches = microbatches;
    return schedule;
}

} // namespace

class TestValidateSchedule : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void acceptanceA36GoodSchedulesPass_data()
    {
        QTest::addColumn<QStringList>("rows");
        const auto row = [](const char *name, const QStringList &rows) { QTest::newRow(name) << rows; };
        row("GPipe", {"0F0 0F1 0B0 0B1", "1F0 1F1 1B0 1B1"});
        row("1F1B", {"0F0 0F1 . . 0B0 . 0B1", ". 1F0 1B0 1F1 1B1"});
        row("zero bubble", {"0F0 . 0F1 0I0 0W0 0I1 0W1", ". 1F0 1I0 1F1 1I1 1W0 1W1"});
        row("interleaved", {"0F0 0F1 2F0 2F1 . . . 2B0 . 2B1 . 0B0 . 0B1", ". 1F0 1F1 . 3F0 3B0 3F1 3B1 . 1B0 . 1B1"});
        row("V", {"0F0 0F1 0F2 3F0 3I0 3W0 3F1 3I1 3W1 0I0 0W0 3F2 3I2 3W2 0I1 0W1 0I2 0W2",
                  "1F0 2F0 1F1 2F1 2I0 2W0 1F2 1I0 1W0 2F2 2I1 2W1 1I1 2I2 1I2 1W1 2W2 1W2"});
        row("compounds", {"0F0 0F1 0F2 3F0 3I0 3W0 3F1 (0F3;3B1)OVERLAP_F_B (3F2;0B0)OVERLAP_F_B 3B2 "
                          "(3F3;0B1)OVERLAP_F_B 3B3 0I2 0W2 0I3 0W3",
                          "1F0 2F0 1F1 2F1 (1F2;2B0)OVERLAP_F_B (2F2;1B0)OVERLAP_F_B (1F3;2B1)OVERLAP_F_B "
                          "(2F3;1B1)OVERLAP_F_B 2I2 1I2 2I3 1I3 2W2 1W2 2W3 1W3"});
        row("full and split backward in one", {"0F0 0F1 0B0 0I1 0W1", "1F0 1F1 1B0 1I1 1W1"});
        row("one stage", {"0F0 0B0"});
        row("unsharding and reduction", {"0UNSHARD 0F0 0B0 0REDUCE_GRAD 0WAIT_REDUCE_GRAD 0RESHARD"});
        row("a reduction nobody waits for", {"0F0 0B0 0REDUCE_GRAD"});
    }
    void acceptanceA36GoodSchedulesPass()
    {
        QFETCH(QStringList, rows);
        std::vector<std::string> texts;
        for (const QString &row : rows)
            texts.push_back(row.toStdString());
        QCOMPARE(faultOf(texts), QString());
    }

    void backwardMayBeAbsentWhereItIsNotNeeded()
    {
        const Schedule forward = scheduleOf({"0F0 0F1", "1F0 1F1"});
        QCOMPARE(faultIn(forward, {.needsBackward = false}), QString());
        QCOMPARE(faultIn(forward),
                 QString("Invalid backward microbatches for stage 0: expected 2 total backwards, but got "
                         "B=0, I=0, W=0"));
    }

    void aBackwardThatIsThereMustBeWhole()
    {
        QCOMPARE(
            faultIn(scheduleOf({"0F0 0F1 0B0", "1F0 1F1 1B0 1B1"}), {.needsBackward = false}),
            QString("Invalid backward microbatches for stage 0: expected 2 total backwards, but got B=1, I=0, W=0"));
    }

    void acceptanceA36AMissingRankFails()
    {
        QCOMPARE(faultOf({"0F0 0B0", ""}), QString("Schedule is missing actions for rank 1"));
        QCOMPARE(faultOf({"0F0 0B0", ". ."}), QString("Schedule is missing actions for rank 1"));
    }

    void aMissingStageFails()
    {
        QCOMPARE(faultOf({"0F0 0B0", "2F0 2B0"}), QString("Got 0 FORWARD microbatches for stage 1, expected 1"));
    }

    void aMissingForwardFails()
    {
        QCOMPARE(faultOf({"0F0 0F1 0B0 0B1", "1F0 1B0"}),
                 QString("Got 1 FORWARD microbatches for stage 1, expected 2"));
    }

    void acceptanceA36AMissingBackwardFails()
    {
        QCOMPARE(
            faultOf({"0F0 0B0", "1F0"}),
            QString("Invalid backward microbatches for stage 1: expected 1 total backwards, but got B=0, I=0, W=0"));
        QCOMPARE(
            faultOf({"0F0 0I0 0W0", "1F0 1I0"}),
            QString("Invalid backward microbatches for stage 1: I and W must have equal counts, but got I=1, W=0"));
    }

    void backwardBeforeForwardIsNamedAndMarked()
    {
        const Status valid = validateSchedule(scheduleOf({"0F0 0B0", "1B0 1F0"}));
        QVERIFY(!valid);
        QCOMPARE(valid.error().code, ErrorCode::InvalidArgument);
        QCOMPARE(
            shown(valid.error().message),
            QString("Rank 1, step 0: Running Full Backward for stage 1, microbatch 0 without first running Forward"));
        QCOMPARE(shown(valid.error().where), QString("Rank 1, step 0"));
        QCOMPARE(shown(valid.error().details), QString("Full pipeline schedule:\n"
                                                       "        Rank 0 Rank 1\n"
                                                       "Step 0: 0F0    1B0    <-- ERROR HERE\n"
                                                       "Step 1: 0B0    1F0\n"));
    }

    void theOrderOfASplitBackwardIsChecked()
    {
        QCOMPARE(
            faultOf({"0I0 0F0 0W0"}),
            QString("Rank 0, step 0: Running Backward Input for stage 0, microbatch 0 without first running Forward"));
        QCOMPARE(faultOf({"0F0 0W0 0I0"}), QString("Rank 0, step 1: Running Backward Weight for stage 0, microbatch 0 "
                                                   "without first running Backward Input"));
    }

    void twoBackwardsOfOneMicrobatchFail()
    {
        QCOMPARE(faultOf({"0F0 0B0 0I0 0W0"}),
                 QString("Rank 0, step 2: stage 0, microbatch 0 has a full backward and an input backward"));
        QCOMPARE(faultOf({"0F0 0I0 0B0 0W0"}),
                 QString("Rank 0, step 2: stage 0, microbatch 0 has a full backward and an input backward"));
    }

    void anActionThatAppearsTwiceFails()
    {
        QCOMPARE(faultOf({"0F0 0F1 . 0F1 0B0 0B1"}), QString("Rank 0, step 3: 0F1 appears twice"));
        QCOMPARE(faultOf({"0F0 (0F1;0B0)OVERLAP_F_B 0B0 0B1"}), QString("Rank 0, step 2: 0B0 appears twice"));
    }

    void idsMustBeThoseOfTheSchedule()
    {
        QCOMPARE(faultIn(withMicrobatches({"0F0 0F5 0B0 0B5"}, 2)),
                 QString("Rank 0, step 1: Got an invalid action: 0F5, but microbatches are 0 to 1"));
        Schedule stages = scheduleOf({"0F0 0B0", "3F0 3B0"});
        stages.stages = 2;
        QCOMPARE(faultIn(stages), QString("Rank 1, step 0: Got an invalid action: 3F0, but stages are 0 to 1"));
        Schedule none = scheduleOf({"0F0 0B0"});
        none.ranks[0][1]->microbatch = {};
        QCOMPARE(faultIn(none), QString("Rank 0, step 1: Got an invalid action: 0B-1, but microbatches are 0 to 0"));
    }

    void aStageOnTwoRanksFails()
    {
        QCOMPARE(faultOf({"0F0 0F1 0B0 0B1", "1F0 0F1 1B0 1B1"}),
                 QString("Rank 1, step 1: Stage 0 is assigned to both rank 0 and rank 1"));
        QCOMPARE(faultOf({"0F0 0B0", "0UNSHARD 1F0 1B0"}),
                 QString("Rank 1, step 0: Stage 0 is assigned to both rank 0 and rank 1"));
    }

    void aWaitNeedsWhatItWaitsFor()
    {
        QCOMPARE(faultOf({"0F0 0WAIT_SEND_F0 0B0"}),
                 QString("Rank 0, step 1: Pipeline wait 0WAIT_SEND_F0 at rank 0 has no pending send"));
        QCOMPARE(faultOf({"0F0 0B0 0WAIT_REDUCE_GRAD 0REDUCE_GRAD"}),
                 QString("Rank 0, step 2: Rank 0 has WAIT_REDUCE_GRAD for stage 0 without a pending reduction"));
        QCOMPARE(faultOf({"0F0 0B0 0REDUCE_GRAD 0WAIT_REDUCE_GRAD 0WAIT_REDUCE_GRAD"}),
                 QString("Rank 0, step 4: Rank 0 has WAIT_REDUCE_GRAD for stage 0 without a pending reduction"));
    }

    void compoundsHoldComputationsOnly()
    {
        QCOMPARE(faultOf({"0F0 (0B0;0RESHARD)OVERLAP_F_B"}),
                 QString("Rank 0, step 1: Got an invalid action: 0RESHARD cannot be part of a compound"));
        Schedule empty = scheduleOf({"0F0 0B0"});
        empty.ranks[0][1] = Action{{}, ActionKind::OverlapFB, {}, {}};
        QCOMPARE(faultIn(empty), QString("Rank 0, step 1: Got an invalid action: a compound without parts"));
    }

    void aScheduleForNothingFails()
    {
        const QString message = "the schedule is empty: it needs a rank, a stage and a microbatch";
        QCOMPARE(faultIn(Schedule{}), message);
        QCOMPARE(faultIn(Schedule{"", 1, 0, {{Action{StageId{0}, ActionKind::Unshard, {}, {}}}}}), message);
        QCOMPARE(faultIn(Schedule{"", 1, 1, {}}), message);
        QCOMPARE(faultIn(Schedule{"", 1, 1 << 30, {{Action{StageId{0}, ActionKind::Forward, MicrobatchId{0}, {}}}}}),
                 QString("a schedule has fewer than 1073741824 stages and microbatches"));
    }
};

PIPESCOPE_TEST(TestValidateSchedule)
#include "tst_validate_schedule.moc"

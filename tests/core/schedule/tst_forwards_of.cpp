#include "schedule/forwards_of.h"

#include "schedule/schedule_table.h"
#include "schedule/validate_schedule.h"
#include "support/schedule_text.h"
#include "support/test_program.h"

#include <QTest>

using namespace pipescope;
using namespace pipescope::schedule;
using tests::scheduleOf;
using tests::textOf;

class TestForwardsOf : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void onlyForwardsAreLeft()
    {
        const Schedule schedule =
            scheduleOf({"0UNSHARD 0F0 0SEND_F0 . (0F1;0B0)OVERLAP_F_B 0WAIT_SEND_F0 0RECV_B1 0I1 0W1 "
                        "0REDUCE_GRAD 0WAIT_REDUCE_GRAD 0RESHARD",
                        "1RECV_F0 1F0 1B0 1SEND_B0 1WAIT_SEND_B0 . 1F1 1B1"});
        const Schedule forwards = forwardsOf(schedule);
        QCOMPARE(textOf(forwards), (std::vector<std::string>{"0F0 0F1", "1F0 1F1"}));
        QCOMPARE(forwards.stages, 2);
        QCOMPARE(forwards.microbatches, 2);
    }

    void theNameSaysWhereBackwardsAreLeftOut()
    {
        const Schedule gpipe = *buildSchedule("gpipe", {3, 3, 4});
        QCOMPARE(forwardsOf(gpipe).name, std::string("forwards of gpipe"));
        QCOMPARE(textOf(forwardsOf(gpipe)), textOf(*buildSchedule("forward", {3, 3, 4})));
        Schedule overlapped = scheduleOf({"0F0 (0F1;0B0)OVERLAP_F_B"});
        overlapped.name = "@mine.csv";
        QCOMPARE(forwardsOf(overlapped).name, std::string("forwards of @mine.csv"));
    }

    void droppedTransfersLeaveTheNameAlone()
    {
        Schedule sending = scheduleOf({"0F0 . 0SEND_F0", "1RECV_F0 1F0"});
        sending.name = "sending";
        QCOMPARE(forwardsOf(sending).name, std::string("sending"));
        const Schedule forward = *buildSchedule("forward", {2, 4, 3});
        QCOMPARE(forwardsOf(forward), forward);
    }

    // A receive may stand early in a row; a run takes a value when the forward needs it, and so gets by with a limit
    // that the row, read word for word, would not.
    void theForwardsOfAValidScheduleAreValid()
    {
        const Schedule schedule = scheduleOf({"0F0 0SEND_F0 0F1 0SEND_F1", "1RECV_F0 1RECV_F1 1F0 1F1"});
        QVERIFY(validateSchedule(schedule, {.needsBackward = false}));
        QVERIFY(!validateSchedule(schedule, {.needsBackward = false, .maxInFlight = 1}));
        QVERIFY(validateSchedule(forwardsOf(schedule), {.needsBackward = false, .maxInFlight = 1}));
    }
};

PIPESCOPE_TEST(TestForwardsOf)
#include "tst_forwards_of.moc"

#include "schedule/validate_schedule.h"
#include "support/schedule_text.h"
#include "support/test_program.h"

#include <QTest>

using namespace pipescope;
using namespace pipescope::schedule;
using tests::scheduleOf;
using tests::shown;
using tests::textOf;

namespace {

QString transferFaultIn(const Schedule &schedule)
{
    const Status valid = validateSchedule(schedule, {.needsBackward = false});
    return valid ? QString() : shown(valid.error().message);
}

QString transferFaultOf(const std::vector<std::string> &rows)
{
    return transferFaultIn(scheduleOf(rows));
}

// Transfers added as a careless lowering would: each send after its computation, each receive just before its consumer.
Schedule lowered(const Schedule &schedule)
{
    const std::vector<RankId> rankOf = rankOfStage(schedule);
    const auto isElsewhere = [&](int stage, std::size_t rank) {
        return stage >= 0 && stage < schedule.stages && rankOf[static_cast<std::size_t>(stage)].index() != rank;
    };
    Schedule result{schedule.name, schedule.stages, schedule.microbatches, {}};
    for (std::size_t rank = 0; rank < schedule.ranks.size(); ++rank) {
        Row &row = result.ranks.emplace_back();
        for (const Cell &cell : schedule.ranks[rank]) {
            if (!cell)
                continue;
            const bool forward = cell->kind == ActionKind::Forward;
            const bool backward = cell->kind == ActionKind::FullBackward || cell->kind == ActionKind::BackwardInput;
            const int before = cell->stage.value + (forward ? -1 : 1);
            const int after = cell->stage.value + (forward ? 1 : -1);
            if ((forward || backward) && isElsewhere(before, rank))
                row.emplace_back(
                    Action{cell->stage, forward ? ActionKind::RecvF : ActionKind::RecvB, cell->microbatch, {}});
            row.push_back(cell);
            if ((forward || backward) && isElsewhere(after, rank))
                row.emplace_back(
                    Action{cell->stage, forward ? ActionKind::SendF : ActionKind::SendB, cell->microbatch, {}});
        }
    }
    return result;
}

} // namespace

class TestTransferCheck : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    // What torch 2.15 makes of its own schedules for two ranks and two microbatches.
    void loweredSchedulesOfTorchPass_data()
    {
        QTest::addColumn<QStringList>("rows");
        const auto row = [](const char *name, const QStringList &rows) { QTest::newRow(name) << rows; };
        row("simple, receives early", {"0F0 0SEND_F0 0F1 0SEND_F1 0RECV_B0 0B0 0RECV_B1 0B1",
                                       "1RECV_F0 1RECV_F1 1F0 1B0 1SEND_B0 1F1 1B1 1SEND_B1"});
        const char *gpipe0 = "0UNSHARD 0F0 0SEND_F0 0F1 0SEND_F1 0RECV_B0 0B0 0WAIT_SEND_F0 0RECV_B1 0B1 0WAIT_SEND_F1 "
                             "0REDUCE_GRAD 0WAIT_REDUCE_GRAD 0RESHARD";
        row("GPipe",
            {gpipe0, "1UNSHARD 1RECV_F0 1F0 1RECV_F1 1F1 1B0 1SEND_B0 1B1 1SEND_B1 1REDUCE_GRAD 1WAIT_REDUCE_GRAD "
                     "1RESHARD 1WAIT_SEND_B0 1WAIT_SEND_B1"});
        row("1F1B",
            {gpipe0, "1UNSHARD 1RECV_F0 1F0 1RECV_F1 1B0 1SEND_B0 1F1 1B1 1SEND_B1 1REDUCE_GRAD 1WAIT_REDUCE_GRAD "
                     "1RESHARD 1WAIT_SEND_B0 1WAIT_SEND_B1"});
        row("1F1B, one send at a time",
            {"0UNSHARD 0F0 0SEND_F0 0F1 0WAIT_SEND_F0 0SEND_F1 0RECV_B0 0B0 0RECV_B1 0B1 0WAIT_SEND_F1 0REDUCE_GRAD "
             "0WAIT_REDUCE_GRAD 0RESHARD",
             "1UNSHARD 1RECV_F0 1F0 1RECV_F1 1B0 1SEND_B0 1F1 1B1 1WAIT_SEND_B0 1SEND_B1 1REDUCE_GRAD "
             "1WAIT_REDUCE_GRAD "
             "1RESHARD 1WAIT_SEND_B1"});
        row("zero bubble",
            {"0UNSHARD 0F0 0SEND_F0 0F1 0SEND_F1 0RECV_B0 0I0 0WAIT_SEND_F0 0W0 0RECV_B1 0I1 0WAIT_SEND_F1 0W1 "
             "0REDUCE_GRAD 0WAIT_REDUCE_GRAD 0RESHARD",
             "1UNSHARD 1RECV_F0 1F0 1RECV_F1 1I0 1SEND_B0 1F1 1I1 1SEND_B1 1W0 1W1 1REDUCE_GRAD 1WAIT_REDUCE_GRAD "
             "1RESHARD "
             "1WAIT_SEND_B0 1WAIT_SEND_B1"});
        row("interleaved, two stages a rank",
            {"0UNSHARD 2UNSHARD 0F0 0SEND_F0 2RECV_F0 0F1 0SEND_F1 2RECV_F1 2F0 2SEND_F0 2F1 2SEND_F1 2RECV_B0 2B0 "
             "2WAIT_SEND_F0 2SEND_B0 2RECV_B1 2B1 2WAIT_SEND_F1 2SEND_B1 2REDUCE_GRAD 2WAIT_REDUCE_GRAD 2RESHARD "
             "0RECV_B0 0B0 "
             "0WAIT_SEND_F0 0RECV_B1 0B1 0WAIT_SEND_F1 0REDUCE_GRAD 0WAIT_REDUCE_GRAD 0RESHARD 2WAIT_SEND_B0 "
             "2WAIT_SEND_B1",
             "1UNSHARD 3UNSHARD 1RECV_F0 1F0 1SEND_F0 1RECV_F1 1F1 1SEND_F1 3RECV_F0 3F0 3RECV_F1 3B0 3SEND_B0 "
             "1RECV_B0 3F1 "
             "3B1 3SEND_B1 1RECV_B1 3REDUCE_GRAD 3WAIT_REDUCE_GRAD 3RESHARD 1B0 1WAIT_SEND_F0 1SEND_B0 1B1 "
             "1WAIT_SEND_F1 "
             "1SEND_B1 1REDUCE_GRAD 1WAIT_REDUCE_GRAD 1RESHARD 3WAIT_SEND_B0 3WAIT_SEND_B1 1WAIT_SEND_B0 "
             "1WAIT_SEND_B1"});
        row("zero bubble, two stages a rank",
            {"0UNSHARD 2UNSHARD 0F0 0SEND_F0 2RECV_F0 0F1 0SEND_F1 2RECV_F1 2F0 2SEND_F0 2F1 2SEND_F1 2RECV_B0 2I0 "
             "2WAIT_SEND_F0 2SEND_B0 2W0 2RECV_B1 2I1 2WAIT_SEND_F1 2SEND_B1 2W1 0RECV_B0 2REDUCE_GRAD "
             "2WAIT_REDUCE_GRAD "
             "2RESHARD 0I0 0WAIT_SEND_F0 0W0 0RECV_B1 0I1 0WAIT_SEND_F1 0W1 0REDUCE_GRAD 0WAIT_REDUCE_GRAD 0RESHARD "
             "2WAIT_SEND_B0 2WAIT_SEND_B1",
             "1UNSHARD 3UNSHARD 1RECV_F0 1F0 1SEND_F0 1RECV_F1 1F1 1SEND_F1 3RECV_F0 3F0 3RECV_F1 3I0 3SEND_B0 "
             "1RECV_B0 3F1 "
             "3I1 3SEND_B1 1RECV_B1 3W0 1I0 1WAIT_SEND_F0 1SEND_B0 3W1 3REDUCE_GRAD 3WAIT_REDUCE_GRAD 3RESHARD 1I1 "
             "1WAIT_SEND_F1 1SEND_B1 1W0 1W1 1REDUCE_GRAD 1WAIT_REDUCE_GRAD 1RESHARD 3WAIT_SEND_B0 3WAIT_SEND_B1 "
             "1WAIT_SEND_B0 1WAIT_SEND_B1"});
    }
    void loweredSchedulesOfTorchPass()
    {
        QFETCH(QStringList, rows);
        std::vector<std::string> texts;
        for (const QString &row : rows)
            texts.push_back(row.toStdString());
        QCOMPARE(transferFaultOf(texts), QString());
    }

    void neighboursOnOneRankNeedNoTransfer()
    {
        QCOMPARE(transferFaultOf({"0F0 0SEND_F0 3RECV_F0 3F0", "1RECV_F0 1F0 2F0 2SEND_F0"}), QString());
    }

    void aSendNeedsItsReceive()
    {
        QCOMPARE(transferFaultOf({"0F0 0SEND_F0 0F1 0SEND_F1", "1RECV_F0 1F0 1F1"}),
                 QString("Rank 1, step 2: Computing action=1F1 before receiving input"));
        QCOMPARE(transferFaultOf({"0F0 0SEND_F0 0B0", "1RECV_F0 1F0 1B0 1SEND_B0"}),
                 QString("Rank 0, step 2: Computing action=0B0 before receiving input"));
        QCOMPARE(transferFaultOf({"0F0 0SEND_F0 1F0 1SEND_F0", "2RECV_F0 2F0"}),
                 QString("Rank 0, step 1: Pipeline send 0SEND_F0 has no matching receive 1RECV_F0"));
    }

    void aReceiveNeedsItsSend()
    {
        QCOMPARE(transferFaultOf({"0F0 0F1 0SEND_F1", "1RECV_F0 1F0 1RECV_F1 1F1"}),
                 QString("Rank 1, step 0: Pipeline receive 1RECV_F0 has no matching send 0SEND_F0"));
    }

    void whatIsSentMustHaveBeenComputed()
    {
        QCOMPARE(transferFaultOf({"0SEND_F0 0F0", "1RECV_F0 1F0"}),
                 QString("Rank 0, step 0: 0SEND_F0 without first running Forward"));
        QCOMPARE(transferFaultOf({"0F0 0SEND_F0 0RECV_B0 0B0", "1RECV_F0 1F0 1SEND_B0 1B0"}),
                 QString("Rank 1, step 2: 1SEND_B0 without first running the backward"));
    }

    void theEndsOfThePipelineSendNothingOut()
    {
        QCOMPARE(transferFaultOf({"0F0 0SEND_F0"}),
                 QString("Rank 0, step 1: 0SEND_F0: there is no stage 1 at its other end"));
        QCOMPARE(transferFaultOf({"0RECV_F0 0F0"}),
                 QString("Rank 0, step 0: 0RECV_F0: there is no stage -1 at its other end"));
        QCOMPARE(transferFaultOf({"0F0 0B0 0SEND_B0"}),
                 QString("Rank 0, step 2: 0SEND_B0: there is no stage -1 at its other end"));
        QCOMPARE(transferFaultOf({"0F0 0RECV_B0 0B0"}),
                 QString("Rank 0, step 1: 0RECV_B0: there is no stage 1 at its other end"));
    }

    void bothRanksMustHaveTheSameOrder()
    {
        QCOMPARE(
            transferFaultOf({"0F0 0SEND_F0 0F1 0SEND_F1", "1RECV_F1 1RECV_F0 1F0 1F1"}),
            QString(
                "Rank 1, step 0: message 0 from rank 0 to rank 1 is received as 1RECV_F1 but sent as 0SEND_F0 (step "
                "1): both ranks must name their messages in the same order"));
    }

    // Receives placed just before their consumers break the order in this schedule: the third message sent is the
    // forward of microbatch 2 for stage 1, the third received the backward of microbatch 0 for stage 2.
    void deferredReceivesOfAVScheduleAreRefused()
    {
        const Schedule v = scheduleOf({"0F0 0F1 0F2 3F0 3I0 3W0 3F1 3I1 3W1 0I0 0W0 3F2 3I2 3W2 0I1 0W1 0I2 0W2",
                                       "1F0 2F0 1F1 2F1 2I0 2W0 1F2 1I0 1W0 2F2 2I1 2W1 1I1 2I2 1I2 1W1 2W2 1W2"});
        QCOMPARE(transferFaultIn(v), QString());
        const Schedule deferred = lowered(v);
        QCOMPARE(shown(textOf(deferred)[1].substr(0, 52)),
                 QString("1RECV_F0 1F0 2F0 2SEND_F0 1RECV_F1 1F1 2F1 2SEND_F1 "));
        QVERIFY(transferFaultIn(deferred).endsWith(
            "message 2 from rank 0 to rank 1 is received as 2RECV_B0 but sent as 0SEND_F2 "
            "(step 5): both ranks must name their messages in the same order"));
    }

    void deferredReceivesOfPlainSchedulesAreFine()
    {
        QCOMPARE(transferFaultIn(lowered(scheduleOf({"0F0 0F1 0B0 0B1", "1F0 1F1 1B0 1B1"}))), QString());
        QCOMPARE(transferFaultIn(lowered(scheduleOf({"0F0 0F1 2F0 2F1", "1F0 1F1 3F0 3F1"}))), QString());
    }

    // The wait for a send ends when it is received, as with messages too large for a buffer.
    void aWaitForASendThatIsReceivedTooLateIsADeadlock()
    {
        QCOMPARE(transferFaultOf({"0F0 0SEND_F0 0WAIT_SEND_F0 0F1 0SEND_F1", "1RECV_F0 1F0 1RECV_F1 1F1"}), QString());
        QCOMPARE(transferFaultOf({"0F0 0SEND_F0 0WAIT_SEND_F0 2RECV_F0 2F0", "1RECV_F0 1F0 1SEND_F0 1WAIT_SEND_F0"}),
                 QString());
        QCOMPARE(transferFaultOf({"0F0 0SEND_F0 0WAIT_SEND_F0 0F1 0SEND_F1 2RECV_F0 2F0 2RECV_F1 2F1",
                                  "1RECV_F0 1F0 1SEND_F0 1WAIT_SEND_F0 1RECV_F1 1F1 1SEND_F1"}),
                 QString());
        QCOMPARE(transferFaultOf({"0F0 0SEND_F0 0F1 0SEND_F1 0WAIT_SEND_F1 2RECV_F0 2F0 2RECV_F1 2F1",
                                  "1RECV_F0 1F0 1SEND_F0 1WAIT_SEND_F0 1RECV_F1 1F1 1SEND_F1"}),
                 QString("Schedule is not progressing: "
                         "rank 0 waits at 0WAIT_SEND_F1 (step 4) for 1RECV_F1 of rank 1 (step 4); "
                         "rank 1 waits at 1WAIT_SEND_F0 (step 3) for 2RECV_F0 of rank 0 (step 5)"));
    }
};

PIPESCOPE_TEST(TestTransferCheck)
#include "tst_transfer_check.moc"

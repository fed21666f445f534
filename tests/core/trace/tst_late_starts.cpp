#include "trace/late_starts.h"

#include "support/test_program.h"
#include "support/trace_builder.h"
#include "trace/trace_stats.h"

#include <QTest>
#include <algorithm>

using namespace pipescope;
using namespace pipescope::trace;
using tests::TraceBuilder;

namespace {

/// Since when each late compute could have begun, or since the first event, and when it began: "0: 3-2600, 1:
/// 3410-3421".
QString latesOf(const Trace &trace)
{
    QStringList texts;
    const TraceIndex index(trace);
    const LateStarts starts = lateStarts(trace, index);
    for (const std::uint32_t i : index.byTime()) {
        const Event &event = trace.events[i];
        const std::int64_t since = std::max(starts.since[i], trace.events[index.byTime().front()].beginNs);
        if (event.kind == EventKind::Compute && since < event.beginNs)
            texts << QStringLiteral("%1: %2-%3").arg(event.rank.value).arg(since).arg(event.beginNs);
    }
    return texts.join(QStringLiteral(", "));
}

/// 0F0 was sent by 251; rank 1 began to run at 3990, and found it there.
TraceBuilder lateRank()
{
    return TraceBuilder(2, 2, 1)
        .compute(0, 0, 0, 17, 247)
        .send(0, 0, 0, 1, 247, 251)
        .receive(1, 1, 0, 0, 3990, 3991)
        .compute(1, 1, 0, 3991, 5000);
}

} // namespace

class TestLateStarts : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void anActionThatNeedsNothingIsLateFromTheRunsBegin()
    {
        const Trace trace = TraceBuilder(2, 2, 1)
                                .wait(1, 1, 0, WaitCause::Input, 3, 3420, 0)
                                .compute(0, 0, 0, 2600, 3400)
                                .send(0, 0, 0, 1, 3400, 3410)
                                .receive(1, 1, 0, 0, 3420, 3421)
                                .compute(1, 1, 0, 3421, 5000)
                                .build();
        QCOMPARE(latesOf(trace), QString("0: 3-2600, 1: 3410-3421")); // and rank 1 took 10 to wake
    }

    void anInputIsWaitedForUntilItIsSent() { QCOMPARE(latesOf(lateRank().build()), QString("1: 251-3991")); }

    void withoutTransfersStagesAreAChain()
    {
        const Trace trace = TraceBuilder(2, 2, 1).compute(0, 0, 0, 0, 100).compute(1, 1, 0, 400, 500).build();
        QCOMPARE(latesOf(trace), QString("1: 100-400"));
        QCOMPARE(latesOf(tests::evenForward(4, 6, 10)), QString());
    }

    void aStageThatNobodyFeedsIsLateFromTheRunsBegin()
    {
        QCOMPARE(latesOf(tests::twoTowersTrace()), QString("1: 0-4"));
    }

    // 1B0 gives its gradient at 300, and rank 0 begins at 400; the forward of stage 1 says nothing of it.
    void aBackwardIsLateFromTheBackwardItNeeds()
    {
        Trace trace = TraceBuilder(2, 2, 1)
                          .compute(0, 0, 0, 0, 100)
                          .compute(1, 1, 0, 100, 200)
                          .compute(1, 1, 0, 200, 300)
                          .compute(0, 0, 0, 400, 500)
                          .build();
        trace.events[2].action = trace.events[3].action = schedule::ActionKind::FullBackward;
        QCOMPARE(latesOf(trace), QString("0: 300-400"));
    }

    void creditIsWaitedForUntilItsGiverHasEnded()
    {
        const Trace trace = TraceBuilder(2, 2, 2)
                                .compute(0, 0, 0, 0, 100)
                                .creditWait(0, 0, 1, 1, 0, 100, 700)
                                .compute(0, 0, 1, 700, 800)
                                .compute(1, 1, 0, 100, 400)
                                .compute(1, 1, 1, 800, 900)
                                .build();
        QCOMPARE(latesOf(trace), QString("0: 400-700"));
        const LateStarts starts = lateStarts(trace, TraceIndex(trace));
        QCOMPARE(starts.since[1], std::int64_t{400}); // the wait's
        QCOMPARE(starts.since[3], std::int64_t{400}); // 0F1's
    }

    void theCreditOfABackwardComesWithTheBackwardsEnd()
    {
        const Trace trace = tests::creditOfABackwardTrace();
        const TraceIndex index(trace);
        QCOMPARE(index.giverOf(4), std::optional(3U));
        // 0F1 needed only the end of 0B0, which its own rank had just run.
        QCOMPARE(lateStarts(trace, index).since.back(), LateStarts::Never);
        Trace slow = trace;
        slow.events[3].rank = RankId{1}; // and what another rank ended is waited for until its end
        QCOMPARE(lateStarts(slow, TraceIndex(slow)).since.back(), std::int64_t{400});
    }

    // 1F0 ends at 400 and gives the credit; its send goes on until 600.
    void aCreditDoesNotWaitForTheSendsOfItsGiver()
    {
        const Trace trace = TraceBuilder(3, 3, 2)
                                .compute(0, 0, 0, 0, 100)
                                .send(0, 0, 0, 1, 100, 110)
                                .creditWait(0, 0, 1, 1, 0, 110, 700)
                                .compute(0, 0, 1, 700, 800)
                                .receive(1, 1, 0, 0, 110, 120)
                                .compute(1, 1, 0, 120, 400)
                                .send(1, 1, 0, 2, 400, 600)
                                .build();
        QCOMPARE(lateStarts(trace, TraceIndex(trace)).since.back(), std::int64_t{400});
    }

    // Stage 1 waits for the first of 200 values that stage 0 sends.
    void theSendThatAWaitNamesIsFoundAmongAnyNumberOfLaterOnes()
    {
        TraceBuilder builder(2, 2, 1);
        builder.compute(0, 0, 0, 0, 100);
        for (int i = 0; i < 200; ++i)
            builder.send(0, 0, 0, 1, 100 + i, 101 + i);
        Trace trace = builder.receive(1, 1, 0, 0, 400, 410).compute(1, 1, 0, 410, 500).build();
        for (std::size_t later = 2; later <= 200; ++later)
            trace.events[later].value = "another";
        QCOMPARE(lateStarts(trace, TraceIndex(trace)).since.back(), std::int64_t{101});
    }

    void theTimeBetweenTwoActionsIsNotLate()
    {
        QCOMPARE(latesOf(TraceBuilder(1, 1, 2).compute(0, 0, 0, 0, 100).compute(0, 0, 1, 150, 200).build()), QString());
    }

    void whereATraceDoesNotSayWhatEndedAWaitNothingIsLate()
    {
        TraceBuilder builder(1, 1, 2);
        builder.wait(0, 0, 0, WaitCause::Device, 0, 50).compute(0, 0, 0, 80, 100);
        builder.wait(0, 0, 1, WaitCause::Credit, 100, 200).compute(0, 0, 1, 300, 400);
        QCOMPARE(latesOf(builder.build()), QString());
        // Received, and no send of it was written down.
        TraceBuilder taken(2, 2, 1);
        taken.compute(0, 0, 0, 0, 100).receive(1, 1, 0, 0, 300, 310).compute(1, 1, 0, 310, 400);
        QCOMPARE(latesOf(taken.build()), QString());
    }

    void theOrderOfEventsDoesNotMatter()
    {
        Trace trace = lateRank().build();
        std::reverse(trace.events.begin(), trace.events.end());
        QCOMPARE(latesOf(trace), QString("1: 251-3991"));
    }

    void aTraceThatRefersToNothingHasNone()
    {
        QCOMPARE(latesOf(Trace{}), QString());
        QCOMPARE(latesOf(TraceBuilder(1, 1, 1).compute(3, 0, 0, 0, 9).compute(-1, 0, 0, 5, 9).build()), QString());
    }

    // Bubbles are as many as before: of 2 * 4983, 230 + 1009 are busy.
    void statisticsTellLateTimeApartFromTheFill()
    {
        const Stats stats = traceStats(lateRank().build());
        QCOMPARE(qRound(stats.ranks[1].warmUpSeconds * 1e9), 234); // 17 to 251
        QCOMPARE(qRound(stats.ranks[1].notRunningSeconds * 1e9), 3739);
        QCOMPARE(qRound(stats.ranks[1].waitSeconds * 1e9), 3973);
        QCOMPARE(qRound(stats.ranks[0].notRunningSeconds * 1e9), 0);
        QVERIFY(std::abs(stats.bubbleShare - (1 - 1239.0 / 9966)) < 1e-12);
    }

    // Of the wait of 600 for credit, 300 were after its giver's end.
    void aWaitCountsUntilWhatItWasForHadCome()
    {
        const Stats stats = traceStats(TraceBuilder(2, 2, 2)
                                           .compute(0, 0, 0, 0, 100)
                                           .creditWait(0, 0, 1, 1, 0, 100, 700)
                                           .compute(0, 0, 1, 700, 800)
                                           .compute(1, 1, 0, 100, 400)
                                           .build());
        QCOMPARE(qRound(stats.ranks[0].waitCreditSeconds * 1e9), 300);
        QCOMPARE(qRound(stats.ranks[0].notRunningSeconds * 1e9), 300);
    }
};

PIPESCOPE_TEST(TestLateStarts)
#include "tst_late_starts.moc"

#include "support/test_program.h"
#include "support/trace_builder.h"
#include "trace/imbalance.h"
#include "trace/trace_stats.h"

#include <QTest>

using namespace pipescope;
using namespace pipescope::trace;
using schedule::ActionKind;
using tests::TraceBuilder;

namespace {

constexpr std::int64_t Millisecond = 1'000'000;

bool near(double value, double expected)
{
    return std::abs(value - expected) <= 1e-12;
}

double partsOfWait(const RankStats &rank)
{
    return rank.warmUpSeconds + rank.coolDownSeconds + rank.waitInputSeconds + rank.waitCreditSeconds +
           rank.waitDeviceSeconds + rank.notRunningSeconds + rank.betweenActionsSeconds;
}

} // namespace

// Numbers in the comments are milliseconds.
class TestTraceStats : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    // 2 ranks, 4 microbatches of 1: makespan 5, of 10 rank-milliseconds 8 are busy.
    void anEvenForwardHasTheBubbleOfItsClosedForm()
    {
        const Stats stats = traceStats(tests::evenForward(2, 4, Millisecond));
        QVERIFY(near(stats.makespanSeconds, 5e-3));
        QVERIFY(near(stats.boundSeconds, 5e-3));
        QVERIFY(near(stats.bubbleShare, 0.2));
        QVERIFY(near(stats.bubbleShareOfSpan, 0));
        QVERIFY(near(stats.imbalance, 0));
        QVERIFY(near(stats.ranks[0].busySeconds, 4e-3));
        QVERIFY(near(stats.ranks[0].warmUpSeconds, 0));
        QVERIFY(near(stats.ranks[0].coolDownSeconds, 1e-3));
        QVERIFY(near(stats.ranks[0].waitSeconds, 1e-3));
        QVERIFY(near(stats.ranks[1].warmUpSeconds, 1e-3));
        QVERIFY(near(stats.ranks[1].coolDownSeconds, 0));
        QVERIFY(near(stats.ranks[1].spanSeconds, 4e-3));
    }

    void moreWorkThanThereWasTimeForLeavesNoBubble()
    {
        const Stats stats =
            traceStats(tests::TraceBuilder(1, 1, 2).compute(0, 0, 0, 0, 10).compute(0, 0, 1, 0, 10).build());
        QCOMPARE(stats.bubbleShare, 0.0);
        QCOMPARE(stats.bubbleShareOfSpan, 0.0);
    }

    // (p - 1) / (m + p - 1)
    void theBubbleShareOfEvenForwardsFollowsTheFormula()
    {
        for (int ranks = 1; ranks <= 6; ++ranks)
            for (int microbatches = 1; microbatches <= 12; ++microbatches) {
                const Stats stats = traceStats(tests::evenForward(ranks, microbatches, Millisecond));
                const double steps = microbatches + ranks - 1;
                QVERIFY(near(stats.bubbleShare, (ranks - 1) / steps));
                QVERIFY(near(stats.boundSeconds, steps * 1e-3));
            }
    }

    // Rank 0 works 1 a microbatch, rank 1 works 3: sum of stages + (m - 1) * the largest = 4 + 2 * 3.
    void unevenStagesAreBoundByTheSlowest()
    {
        const Trace trace = TraceBuilder(2, 2, 3)
                                .compute(0, 0, 0, 0, 1 * Millisecond)
                                .compute(0, 0, 1, 1 * Millisecond, 2 * Millisecond)
                                .compute(0, 0, 2, 2 * Millisecond, 3 * Millisecond)
                                .compute(1, 1, 0, 1 * Millisecond, 4 * Millisecond)
                                .compute(1, 1, 1, 4 * Millisecond, 7 * Millisecond)
                                .compute(1, 1, 2, 7 * Millisecond, 10 * Millisecond)
                                .build();
        const Stats stats = traceStats(trace);
        QVERIFY(near(stats.makespanSeconds, 10e-3));
        QVERIFY(near(stats.boundSeconds, 10e-3));
        QVERIFY(near(stats.imbalance, 0.5)); // 9 over a mean of 6
        QVERIFY(near(stats.bubbleShare, 0.4));
        QVERIFY(near(stats.bubbleShareOfSpan, 1 - 12.0 / 18.0)); // the longest span is rank 1's, 9
        QVERIFY(near(stats.ranks[0].coolDownSeconds, 7e-3));
    }

    void imbalanceIsHowMuchMoreThanTheMeanTheBusiestHas()
    {
        QVERIFY(near(imbalance({}), 0));
        QVERIFY(near(imbalance({0, 0}), 0));
        QVERIFY(near(imbalance({7}), 0));
        QVERIFY(near(imbalance({3, 9}), 0.5));
        QVERIFY(near(imbalance({9.8, 10.1, 10, 12.9}), 12.9 / 10.7 - 1));
    }

    // The same durations with 2 lost between: the bound leaves them out.
    void theBoundIsWhatTheDurationsAloneNeed()
    {
        const Trace trace = TraceBuilder(2, 2, 2)
                                .compute(0, 0, 0, 0, 1 * Millisecond)
                                .compute(0, 0, 1, 2 * Millisecond, 3 * Millisecond)
                                .compute(1, 1, 0, 3 * Millisecond, 5 * Millisecond)
                                .compute(1, 1, 1, 6 * Millisecond, 7 * Millisecond)
                                .build();
        const Stats stats = traceStats(trace);
        QVERIFY(near(stats.makespanSeconds, 7e-3));
        QVERIFY(near(stats.boundSeconds, 4e-3)); // 0F0 1, 1F0 2, 1F1 1
    }

    // Stage 2 takes from stage 0 alone, as the transfers show: 5 + 1 and not 5 + 9 + 1.
    void theBoundFollowsTheTransfersThatWereSeen()
    {
        TraceBuilder builder(3, 3, 1);
        builder.compute(0, 0, 0, 0, 5 * Millisecond)
            .compute(1, 1, 0, 5 * Millisecond, 14 * Millisecond)
            .compute(2, 2, 0, 5 * Millisecond, 6 * Millisecond);
        QVERIFY(near(traceStats(builder.build()).boundSeconds, 14e-3));
        builder.receive(2, 2, 0, 0, 5 * Millisecond, 5 * Millisecond);
        QVERIFY(near(traceStats(builder.build()).boundSeconds, 9e-3)); // stage 1 alone: nothing feeds it
        builder.wait(1, 1, 0, WaitCause::Input, 0, 5 * Millisecond, 0);
        QVERIFY(near(traceStats(builder.build()).boundSeconds, 14e-3)); // stage 0, then stage 1
        builder.compute(2, 2, 0, 14 * Millisecond, 20 * Millisecond)
            .send(1, 1, 0, 2, 14 * Millisecond, 14 * Millisecond);
        QVERIFY(near(traceStats(builder.build()).boundSeconds, 20e-3)); // and what stage 1 sends to
    }

    // As a chain they would be bound by 20 ns.
    void stagesThatDoNotFeedEachOtherAreBoundByTheLongerOne()
    {
        const Stats stats = traceStats(tests::twoTowersTrace());
        QVERIFY(near(stats.makespanSeconds, 14e-9));
        QVERIFY(near(stats.boundSeconds, 10e-9));
    }

    // A skip from stage 0 to stage 2 beside the chain: the later of both feeds counts.
    void aStageFedByTwoWaitsForTheLater()
    {
        const Trace trace = TraceBuilder(3, 3, 1)
                                .compute(0, 0, 0, 0, 2 * Millisecond)
                                .receive(1, 1, 0, 0, 2 * Millisecond, 2 * Millisecond)
                                .compute(1, 1, 0, 2 * Millisecond, 5 * Millisecond)
                                .receive(2, 2, 0, 0, 2 * Millisecond, 2 * Millisecond)
                                .receive(2, 2, 0, 1, 5 * Millisecond, 5 * Millisecond)
                                .compute(2, 2, 0, 5 * Millisecond, 6 * Millisecond)
                                .build();
        QVERIFY(near(traceStats(trace).boundSeconds, 6e-3));
    }

    // Stage 1's backward waits for its own forward, stage 0's for stage 1's: 1 + 2 + 4 + 8, though rank 0 stood still.
    void aBackwardWaitsForThatOfTheStageItFeeds()
    {
        using schedule::ActionKind;
        Trace trace = TraceBuilder(2, 2, 1)
                          .compute(0, 0, 0, 0, 1 * Millisecond)
                          .compute(1, 1, 0, 2 * Millisecond, 4 * Millisecond)
                          .compute(1, 1, 0, 5 * Millisecond, 9 * Millisecond)
                          .compute(0, 0, 0, 10 * Millisecond, 18 * Millisecond)
                          .build();
        for (const ActionKind backward : {ActionKind::FullBackward, ActionKind::BackwardInput}) {
            trace.events[2].action = trace.events[3].action = backward;
            QVERIFY(near(traceStats(trace).boundSeconds, 15e-3));
        }
    }

    // All but the first and last take no time a coarse clock could show; stage 1 comes first in the list.
    void anOrderWithinOneMomentIsThatOfTheStages()
    {
        const Trace trace = TraceBuilder(2, 2, 3)
                                .compute(0, 0, 0, 0, 3)
                                .compute(1, 1, 1, 3, 3)
                                .compute(0, 0, 1, 3, 3)
                                .compute(1, 1, 2, 3, 4)
                                .build();
        QVERIFY(near(traceStats(trace).boundSeconds, 4e-9)); // 0F0, 0F1, 1F1, 1F2
    }

    // Rank 0: compute 0-1, wait 1-2 (credit), compute 2-3, wait 3-5 (device), compute 5-6. Rank 1: wait 0-2 before its
    // first compute 2-4, wait 4-7 (input) of which all lies before its last compute 7-8, send 8-10.
    void waitsAreToldApartByCause()
    {
        const Trace trace = TraceBuilder(2, 2, 3)
                                .compute(0, 0, 0, 0, 1 * Millisecond)
                                .wait(0, 0, 1, WaitCause::Credit, 1 * Millisecond, 2 * Millisecond)
                                .compute(0, 0, 1, 2 * Millisecond, 3 * Millisecond)
                                .wait(0, 0, 2, WaitCause::Device, 3 * Millisecond, 5 * Millisecond)
                                .compute(0, 0, 2, 5 * Millisecond, 6 * Millisecond)
                                .wait(1, 1, 0, WaitCause::Input, 0, 2 * Millisecond, 0)
                                .compute(1, 1, 0, 2 * Millisecond, 4 * Millisecond)
                                .wait(1, 1, 1, WaitCause::Input, 4 * Millisecond, 7 * Millisecond, 0)
                                .compute(1, 1, 1, 7 * Millisecond, 8 * Millisecond)
                                .send(1, 1, 1, 0, 8 * Millisecond, 10 * Millisecond, 100)
                                .receive(0, 0, 2, 1, 6 * Millisecond, 7 * Millisecond, 100)
                                .build();
        const Stats stats = traceStats(trace);
        QVERIFY(near(stats.makespanSeconds, 10e-3));
        QVERIFY(near(stats.ranks[0].waitCreditSeconds, 1e-3));
        QVERIFY(near(stats.ranks[0].waitDeviceSeconds, 2e-3));
        QVERIFY(near(stats.ranks[0].waitInputSeconds, 0));
        QVERIFY(near(stats.ranks[0].receiveSeconds, 1e-3));
        QVERIFY(near(stats.ranks[0].waitSeconds, 6e-3));      // 10 - 3 computing - 1 receiving
        QVERIFY(near(stats.ranks[0].coolDownSeconds, 3e-3));  // 6 to 10, and 1 of receiving
        QVERIFY(near(stats.ranks[1].waitInputSeconds, 3e-3)); // the one before its first compute is warm-up
        QVERIFY(near(stats.ranks[1].warmUpSeconds, 2e-3));
        QVERIFY(near(stats.ranks[1].sendSeconds, 2e-3));
        QVERIFY(near(stats.ranks[1].spanSeconds, 8e-3));
        QVERIFY(near(stats.ranks[1].coolDownSeconds, 0)); // its last send is none
        QCOMPARE(stats.sentBytes, std::int64_t(100));
        for (const RankStats &rank : stats.ranks)
            QVERIFY(near(partsOfWait(rank), rank.waitSeconds));
    }

    void whatNothingKeptApartIsBetweenTwoActions()
    {
        // The second microbatch was there at 2, rank 1 was done with the first at 4 and went on at 5.
        const Stats stats = traceStats(TraceBuilder(2, 2, 2)
                                           .compute(0, 0, 0, 0, 1 * Millisecond)
                                           .compute(0, 0, 1, 1 * Millisecond, 2 * Millisecond)
                                           .compute(1, 1, 0, 1 * Millisecond, 4 * Millisecond)
                                           .compute(1, 1, 1, 5 * Millisecond, 6 * Millisecond)
                                           .build());
        QVERIFY(near(stats.ranks[1].betweenActionsSeconds, 1e-3));
        QVERIFY(near(stats.ranks[1].waitSeconds, 2e-3));
        for (const RankStats &rank : stats.ranks)
            QVERIFY(near(partsOfWait(rank), rank.waitSeconds));
        QCOMPARE(stats.ranks[0].betweenActionsSeconds, 0.0);
    }

    void stagesHaveTheirRunsAndTheMedian()
    {
        const Trace trace = TraceBuilder(1, 2, 4)
                                .compute(0, 0, 0, 0, 1 * Millisecond)
                                .compute(0, 0, 1, 1 * Millisecond, 3 * Millisecond)
                                .compute(0, 0, 2, 3 * Millisecond, 6 * Millisecond)
                                .compute(0, 0, 3, 6 * Millisecond, 16 * Millisecond)
                                .compute(0, 1, 0, 16 * Millisecond, 20 * Millisecond)
                                .build();
        const Stats stats = traceStats(trace);
        QVERIFY(near(stats.stages[0].seconds, 16e-3));
        QVERIFY(near(medianSeconds(stats.stages[0].kinds, ActionKind::Forward), 2.5e-3));
        QCOMPARE(stats.stages[0].runs, 4);
        QVERIFY(near(medianSeconds(stats.stages[1].kinds, ActionKind::Forward), 4e-3));
        QCOMPARE(stats.stages[1].runs, 1);
    }

    // Rank 0 runs stage 0 forward and backward, in two parts once; rank 1 stage 1 in forwards alone.
    void eachKindOfActionHasItsOwnTimes()
    {
        const Trace trace = TraceBuilder(3, 2, 3)
                                .compute(0, 0, 0, 0, 1 * Millisecond)
                                .compute(0, 0, 1, 1 * Millisecond, 3 * Millisecond)
                                .compute(0, 0, 0, 3 * Millisecond, 7 * Millisecond, ActionKind::FullBackward)
                                .compute(0, 0, 1, 7 * Millisecond, 10 * Millisecond, ActionKind::BackwardInput)
                                .compute(0, 0, 1, 10 * Millisecond, 12 * Millisecond, ActionKind::BackwardWeight)
                                .compute(0, 0, 2, 12 * Millisecond, 18 * Millisecond)
                                .compute(1, 1, 0, 1 * Millisecond, 4 * Millisecond)
                                .build();
        const Stats stats = traceStats(trace);
        struct Expected
        {
            ActionKind kind;
            double seconds;
            double median;
            int runs;
        };
        const std::vector<Expected> expected{{ActionKind::Forward, 9e-3, 2e-3, 3},
                                             {ActionKind::FullBackward, 4e-3, 4e-3, 1},
                                             {ActionKind::BackwardInput, 3e-3, 3e-3, 1},
                                             {ActionKind::BackwardWeight, 2e-3, 2e-3, 1}};
        for (const std::vector<KindStats> &kinds : {stats.ranks[0].kinds, stats.stages[0].kinds}) {
            QCOMPARE(kinds.size(), expected.size());
            for (std::size_t i = 0; i < kinds.size(); ++i) {
                QVERIFY(kinds[i].kind == expected[i].kind);
                QVERIFY(near(kinds[i].seconds, expected[i].seconds));
                QVERIFY(near(kinds[i].medianSeconds, expected[i].median));
                QCOMPARE(kinds[i].runs, expected[i].runs);
            }
        }
        QVERIFY(near(stats.ranks[0].busySeconds, 18e-3));
        QVERIFY(near(stats.stages[0].seconds, 18e-3));
        QCOMPARE(stats.stages[0].runs, 6);
        QCOMPARE(stats.ranks[1].kinds.size(), std::size_t(1));
        QVERIFY(near(stats.ranks[1].kinds[0].seconds, 3e-3));
        QVERIFY(stats.ranks[2].kinds.empty());
        QCOMPARE(medianSeconds(stats.stages[1].kinds, ActionKind::FullBackward), 0.0);
    }

    void thePeakOfMemoryIsKeptPerRank()
    {
        const Trace trace =
            TraceBuilder(2, 1, 1).memory(0, 0, 10).memory(0, 5, 70).memory(0, 9, 20).memory(1, 3, 5).build();
        const Stats stats = traceStats(trace);
        QCOMPARE(stats.ranks[0].peakBytes, std::int64_t(70));
        QCOMPARE(stats.ranks[1].peakBytes, std::int64_t(5));
    }

    void aRankThatComputesNothingWarmsUpAllTheTime()
    {
        const Stats stats =
            traceStats(TraceBuilder(2, 1, 1).compute(0, 0, 0, 2 * Millisecond, 5 * Millisecond).build());
        QVERIFY(near(stats.ranks[1].warmUpSeconds, 3e-3));
        QVERIFY(near(stats.ranks[1].waitSeconds, 3e-3));
        QVERIFY(near(stats.bubbleShare, 0.5));
    }

    void anEmptyTraceIsAllZero()
    {
        const Stats nothing = traceStats(Trace{});
        QVERIFY(nothing.ranks.empty() && nothing.stages.empty());
        QCOMPARE(nothing.makespanSeconds, 0.0);
        const Stats idle = traceStats(TraceBuilder(2, 2, 2).build());
        QCOMPARE(idle.ranks.size(), std::size_t(2));
        QCOMPARE(idle.bubbleShare, 0.0);
        QCOMPARE(idle.boundSeconds, 0.0);
    }

    void theMakespanByItselfIsThatOfTheStatistics()
    {
        QCOMPARE(makespanSeconds(Trace{}), 0.0);
        const Trace trace = TraceBuilder(2, 2, 2)
                                .wait(1, 1, 0, WaitCause::Input, -3, 0, 0)
                                .compute(0, 0, 0, 2, 9)
                                .compute(1, 1, 0, 4, 1) // ends before it begins
                                .compute(7, 0, 0, -90, 90)
                                .build();
        QCOMPARE(makespanSeconds(trace), 12e-9);
        QCOMPARE(traceStats(trace).makespanSeconds, 12e-9);
    }

    void eventsOfUnknownRanksAndStagesAreLeftOut()
    {
        const Stats stats = traceStats(TraceBuilder(1, 1, 1)
                                           .compute(0, 0, 0, 0, 1 * Millisecond)
                                           .compute(3, 0, 0, 0, 9 * Millisecond)
                                           .compute(-1, 0, 0, 0, 9 * Millisecond)
                                           .compute(0, 7, 0, 1 * Millisecond, 2 * Millisecond)
                                           .memory(5, 0, 99)
                                           .build());
        QVERIFY(near(stats.makespanSeconds, 2e-3));
        QVERIFY(near(stats.ranks[0].busySeconds, 2e-3));
        QVERIFY(near(stats.boundSeconds, 2e-3));
        QVERIFY(near(stats.stages[0].seconds, 1e-3));
        QCOMPARE(stats.stages[0].runs, 1);
    }
};

PIPESCOPE_TEST(TestTraceStats)
#include "tst_trace_stats.moc"

#include "trace/explain/explanation.h"

#include "support/explained.h"
#include "support/test_program.h"

#include <QTest>

using namespace pipescope;
using trace::EventKind;
using trace::TimeRange;

class TestExplanation : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void everyRankHasALaneWithItsSlicesByBegin()
    {
        const auto model = tests::explained(tests::twoRanksTrace().build());
        QCOMPARE(model->lanes().size(), std::size_t{2});
        const trace::Lane &lane = model->lanes()[1];
        QCOMPARE(lane.slices.size(), std::size_t{5});
        const std::array kinds{EventKind::Wait, EventKind::Receive, EventKind::Compute, EventKind::Receive,
                               EventKind::Compute};
        for (std::size_t i = 0; i < kinds.size(); ++i)
            QCOMPARE(lane.slices[i].kind, kinds[i]);
        QVERIFY((lane.slices[2].time == TimeRange{115, 315}));
        QCOMPARE(schedule::toText(keyOf(model->eventOf(lane.slices[2]))), std::string("1F0"));
        QCOMPARE(lane.busyNs, 400.0);
        QVERIFY(lane.stages == std::vector{StageId{1}});
        QVERIFY((model->run() == TimeRange{0, 530}));
    }

    void overlappingActionsKeepARankBusyOnce()
    {
        tests::TraceBuilder builder(1, 1, 1);
        builder.compute(0, 0, 0, 0, 100).compute(0, 0, 0, 20, 60).compute(0, 0, 0, 50, 150).compute(0, 0, 0, 200, 250);
        QCOMPARE(tests::explained(builder.build())->lanes()[0].busyNs, 200.0);
    }

    void aTraceWithoutEventsHasEmptyLanes()
    {
        const auto model = tests::explained(tests::TraceBuilder(3, 3, 1).build());
        QCOMPARE(model->lanes().size(), std::size_t{3});
        QVERIFY(model->run() == TimeRange{});
        QVERIFY(model->lanes()[2].bubbles.empty());
    }

    void eventsOfRanksThatThereAreNotAreLeftOut()
    {
        tests::TraceBuilder builder(1, 1, 1);
        builder.compute(0, 0, 0, 10, 20).compute(7, 0, 0, 0, 500).compute(-1, 0, 0, 0, 500);
        const auto model = tests::explained(builder.build());
        QVERIFY((model->run() == TimeRange{10, 20}));
    }

    void anEndBeforeItsBeginIsNoTime()
    {
        const auto model = tests::explained(tests::TraceBuilder(1, 1, 1).compute(0, 0, 0, 30, 10).build());
        QVERIFY((model->lanes()[0].slices[0].time == TimeRange{30, 30}));
    }

    void theLatestEndOfAllBeforeIsKnownWhereSlicesOverlap()
    {
        tests::TraceBuilder builder(1, 1, 3);
        builder.compute(0, 0, 0, 0, 100).compute(0, 0, 1, 10, 20).compute(0, 0, 2, 90, 120);
        const auto model = tests::explained(builder.build());
        QVERIFY((model->lanes()[0].latest == std::vector<std::int64_t>{100, 100, 120}));
    }

    void aSliceHasTheKindOfItsAction()
    {
        const trace::Trace trace = tests::TraceBuilder(1, 1, 1)
                                       .compute(0, 0, 0, 0, 10)
                                       .compute(0, 0, 0, 10, 20, schedule::ActionKind::BackwardInput)
                                       .compute(0, 0, 0, 20, 30, schedule::ActionKind::BackwardWeight)
                                       .build();
        const auto model = tests::explained(trace);
        const std::vector<trace::Slice> &slices = model->lanes()[0].slices;
        QVERIFY(slices[0].action == schedule::ActionKind::Forward);
        QVERIFY(slices[1].action == schedule::ActionKind::BackwardInput);
        QVERIFY(slices[2].action == schedule::ActionKind::BackwardWeight);
        QVERIFY((model->computeOf({schedule::ActionKind::BackwardWeight, StageId{0}, MicrobatchId{0}}) ==
                 std::optional(trace::SliceRef{0, 2})));
        QVERIFY(!model->computeOf({schedule::ActionKind::FullBackward, StageId{0}, MicrobatchId{0}}));
    }

    void whatIsSentAndWaitedForBelongsToAnAction()
    {
        const trace::Trace trace = tests::TraceBuilder(2, 2, 1)
                                       .compute(0, 0, 0, 0, 10)
                                       .send(0, 0, 0, 1, 10, 11)
                                       .wait(0, 0, 0, trace::WaitCause::Input, 12, 40, 1)
                                       .compute(0, 0, 0, 40, 60, schedule::ActionKind::FullBackward)
                                       .build();
        const auto model = tests::explained(trace);
        const char *actions[] = {"0F0", "0F0", "0B0", "0B0"};
        for (int slice = 0; slice < 4; ++slice)
            QCOMPARE(schedule::toText(model->actionOf({0, slice})), std::string(actions[slice]));
    }

    void aWaitEndsWithWhatItWaitedFor()
    {
        tests::TraceBuilder builder(2, 2, 2);
        builder.compute(0, 0, 0, 0, 100).send(0, 0, 0, 1, 100, 110).compute(0, 0, 1, 110, 200);
        builder.wait(1, 1, 0, trace::WaitCause::Input, 0, 400, 0).receive(1, 1, 0, 0, 400, 410);
        builder.wait(1, 1, 0, trace::WaitCause::Input, 410, 420, 0).compute(1, 1, 0, 420, 500);
        const auto explained = tests::explained(builder.build());
        const std::vector<trace::Slice> &slices = explained->lanes()[1].slices;
        QVERIFY((slices[0].time == TimeRange{0, 110}));
        QVERIFY((slices[2].time == TimeRange{410, 410})); // all was there
        QVERIFY((explained->run() == TimeRange{0, 500}));
    }

    void aComputeIsFoundByStageAndMicrobatch()
    {
        const auto model = tests::explained(tests::twoRanksTrace().build());
        QVERIFY(model->computeOf(StageId{1}, MicrobatchId{1}) == std::optional(trace::SliceRef{1, 4}));
        QVERIFY(!model->computeOf(StageId{1}, MicrobatchId{2}));
    }

    void timesAtTheEndsOfTheirTypeAreShown()
    {
        tests::TraceBuilder builder(1, 1, 2);
        builder.compute(0, 0, 0, std::numeric_limits<std::int64_t>::min(), 0);
        builder.compute(0, 0, 1, 1, std::numeric_limits<std::int64_t>::max());
        const auto model = tests::explained(builder.build());
        QVERIFY(model->run().spanNs() > 1.8e19);
    }
};

PIPESCOPE_TEST(TestExplanation)
#include "tst_explanation.moc"

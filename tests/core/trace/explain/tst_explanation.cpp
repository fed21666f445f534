#include "trace/explain/explanation.h"

#include "support/explained.h"
#include "support/test_program.h"

#include <QTest>

using namespace pipescope;
using trace::EventKind;
using trace::Pass;
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

    void theActionSaysWhichPassItIs_data()
    {
        QTest::addColumn<schedule::ActionKind>("action");
        QTest::addColumn<int>("pass");
        QTest::newRow("forward") << schedule::ActionKind::Forward << static_cast<int>(Pass::Forward);
        QTest::newRow("full backward") << schedule::ActionKind::FullBackward << static_cast<int>(Pass::Backward);
        QTest::newRow("input gradient") << schedule::ActionKind::BackwardInput << static_cast<int>(Pass::Backward);
        QTest::newRow("weight gradient") << schedule::ActionKind::BackwardWeight
                                         << static_cast<int>(Pass::WeightGradient);
    }
    void theActionSaysWhichPassItIs()
    {
        QFETCH(schedule::ActionKind, action);
        trace::Trace trace = tests::TraceBuilder(1, 1, 1).compute(0, 0, 0, 0, 1).build();
        trace.events[0].action = action;
        QTEST(static_cast<int>(tests::explained(trace)->lanes()[0].slices[0].pass), "pass");
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

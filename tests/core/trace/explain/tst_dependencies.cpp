#include "trace/explain/dependencies.h"

#include "support/explained.h"
#include "support/test_program.h"

#include <QTest>

using namespace pipescope;
using trace::Explanation;
using trace::SliceRef;

namespace {

QString actionsOf(const Explanation &model, const std::vector<SliceRef> &refs)
{
    QStringList actions;
    for (const SliceRef ref : refs)
        actions << QString::fromStdString(schedule::toText(keyOf(model.eventOf(model.at(ref)))));
    return actions.join(' ');
}

SliceRef named(const Explanation &model, const std::string &action)
{
    for (int lane = 0; lane < std::ssize(model.lanes()); ++lane)
        for (int i = 0; i < std::ssize(model.lanes()[static_cast<std::size_t>(lane)].slices); ++i)
            if (const trace::Event &event = model.eventOf(model.at({lane, i}));
                event.kind == trace::EventKind::Compute && schedule::toText(keyOf(event)) == action)
                return {lane, i};
    return {-1, -1};
}

QString producers(const Explanation &model, const std::string &action)
{
    return actionsOf(model, model.dependencies().producersOf(model, named(model, action)));
}

QString consumers(const Explanation &model, const std::string &action)
{
    return actionsOf(model, model.dependencies().consumersOf(model, named(model, action)));
}

} // namespace

class TestDependencies : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void anInputIsFollowedThroughItsTransfer()
    {
        const auto model = tests::explained(tests::twoRanksTrace().build());
        QCOMPARE(producers(*model, "1F1"), QString("0F1"));
        QCOMPARE(consumers(*model, "0F1"), QString("1F1"));
        QCOMPARE(producers(*model, "0F0"), QString());
        QCOMPARE(consumers(*model, "1F0"), QString());
    }

    void aValueThatSkipsAStageLeadsPastIt()
    {
        tests::TraceBuilder builder(3, 3, 1);
        builder.compute(0, 0, 0, 0, 10).send(0, 0, 0, 1, 10, 11).send(0, 0, 0, 2, 11, 12);
        builder.receive(1, 1, 0, 0, 12, 13).compute(1, 1, 0, 13, 20).send(1, 1, 0, 2, 20, 21);
        builder.receive(2, 2, 0, 0, 21, 22).receive(2, 2, 0, 1, 22, 23).compute(2, 2, 0, 23, 30);
        const auto model = tests::explained(builder.build());
        QCOMPARE(producers(*model, "2F0"), QString("0F0 1F0"));
        QCOMPARE(consumers(*model, "0F0"), QString("1F0 2F0"));
    }

    void withoutTransfersStagesAreAChain()
    {
        const auto model = tests::explained(tests::evenForward(3, 2, 10));
        QCOMPARE(producers(*model, "1F1"), QString("0F1"));
        QCOMPARE(consumers(*model, "1F1"), QString("2F1"));
        QCOMPARE(producers(*model, "0F1"), QString());
    }

    void stagesThatDoNotFeedEachOtherDoNotDependOnEachOther()
    {
        const auto model = tests::explained(tests::twoTowersTrace());
        QCOMPARE(producers(*model, "1F0"), QString());
        QCOMPARE(consumers(*model, "0F0"), QString());
    }

    void aBackwardNeedsTheNextStagesBackwardAndItsOwnForward()
    {
        trace::Trace trace = tests::TraceBuilder(2, 2, 1)
                                 .compute(0, 0, 0, 0, 10)
                                 .compute(1, 1, 0, 10, 20)
                                 .compute(1, 1, 0, 20, 40)
                                 .compute(0, 0, 0, 40, 60)
                                 .build();
        trace.events[2].action = schedule::ActionKind::FullBackward;
        trace.events[3].action = schedule::ActionKind::FullBackward;
        const auto model = tests::explained(trace);
        QCOMPARE(producers(*model, "0B0"), QString("1B0 0F0"));
        QCOMPARE(producers(*model, "1B0"), QString("1F0"));
        QCOMPARE(consumers(*model, "1B0"), QString("0B0"));
    }

    void whatIsNoComputeDependsOnNothing()
    {
        const auto model = tests::explained(tests::twoRanksTrace().build());
        QVERIFY(model->dependencies().producersOf(*model, {1, 0}).empty());
        QVERIFY(model->dependencies().consumersOf(*model, {0, 1}).empty());
    }

    void aReceiveOfAnUnknownSendStillLeadsToItsStage()
    {
        tests::TraceBuilder builder(2, 2, 1);
        builder.compute(0, 0, 0, 0, 10).receive(1, 1, 0, 0, 12, 13).compute(1, 1, 0, 13, 20);
        QCOMPARE(producers(*tests::explained(builder.build()), "1F0"), QString("0F0"));
    }

    void aWaitForCreditLeadsToTheEndThatGaveIt()
    {
        const auto model = tests::explained(tests::oneUnderWayTrace().build());
        const auto &dependencies = model->dependencies();
        const SliceRef giver = named(*model, "1F0");
        const SliceRef taker = named(*model, "0F1");
        QVERIFY(dependencies.giverOf(*model, taker) == giver);
        QCOMPARE(actionsOf(*model, dependencies.takersOf(*model, giver)), QString("0F1"));
        QCOMPARE(actionsOf(*model, dependencies.causesOf(*model, taker)), QString("1F0"));
        QCOMPARE(actionsOf(*model, dependencies.effectsOf(*model, giver)), QString("0F1"));
        QCOMPARE(producers(*model, "0F1"), QString()); // it needs nothing of it
        QVERIFY(!dependencies.giverOf(*model, named(*model, "0F0")));
        QVERIFY(dependencies.takersOf(*model, taker).empty());
    }

    void theCreditOfABackwardLeadsToTheBackward()
    {
        const auto model = tests::explained(tests::creditOfABackwardTrace());
        const auto &dependencies = model->dependencies();
        const SliceRef giver = named(*model, "0B0");
        const SliceRef taker = named(*model, "0F1");
        QVERIFY(dependencies.giverOf(*model, taker) == giver);
        QCOMPARE(actionsOf(*model, dependencies.takersOf(*model, giver)), QString("0F1"));
        QVERIFY(dependencies.takersOf(*model, named(*model, "0F0")).empty());
    }

    void ofAnOlderTraceNobodyIsKnownToHaveGivenCredit()
    {
        trace::Trace trace = tests::oneUnderWayTrace().build();
        for (trace::Event &event : trace.events)
            event.peerMicrobatch = {};
        const auto model = tests::explained(trace);
        QVERIFY(!model->dependencies().giverOf(*model, named(*model, "0F1")));
        QVERIFY(model->dependencies().takersOf(*model, named(*model, "1F0")).empty());
    }

    void tenThousandSlicesOfOneStageAndMicrobatchAreLookedThroughNearby()
    {
        // A hostile trace; what is asked is only that an answer comes at once, and for every one of them.
        tests::TraceBuilder builder(1, 2, 1);
        for (int i = 0; i < 10'000; ++i)
            builder.receive(0, 1, 0, 1, i * 10, i * 10 + 1).send(0, 1, 0, 1, i * 10 + 1, i * 10 + 2);
        builder.compute(0, 1, 0, 200'000, 200'001);
        const auto model = tests::explained(builder.build());
        for (int i = 0; i < 1000; ++i)
            QVERIFY(model->dependencies().producersOf(*model, {0, 20'000}).empty());
    }
};

PIPESCOPE_TEST(TestDependencies)
#include "tst_dependencies.moc"

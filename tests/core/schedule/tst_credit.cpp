#include "schedule/credit.h"

#include "support/test_program.h"

#include <QTest>

using namespace pipescope;
using namespace pipescope::schedule;

namespace {

// 0 -> 1 -> 3, 2 -> 3, 2 -> 4: nothing feeds 0 and 2, and 3 and 4 feed none.
Feeds branching()
{
    return {5, {{{0}, {1}}, {{1}, {3}}, {{2}, {3}}, {{2}, {4}}}};
}

ActionKey actionOf(ActionKind kind, int stage)
{
    return {kind, StageId{stage}, MicrobatchId{7}};
}

// The stages whose action of that kind ends its microbatch.
std::vector<int> endsAt(ActionKind kind, bool trains)
{
    std::vector<int> stages;
    for (int stage = 0; stage < 5; ++stage)
        if (endsMicrobatch(actionOf(kind, stage), branching(), trains))
            stages.push_back(stage);
    return stages;
}

} // namespace

class TestCredit : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void theForwardOfStage0BeginsAMicrobatch()
    {
        QVERIFY(beginOf(MicrobatchId{7}) == actionOf(ActionKind::Forward, 0));
        QVERIFY(beginsMicrobatch(actionOf(ActionKind::Forward, 0)));
        QVERIFY(!beginsMicrobatch(actionOf(ActionKind::Forward, 2)));
        QVERIFY(!beginsMicrobatch(actionOf(ActionKind::FullBackward, 0)));
    }

    void unfedStagesFollowStage0()
    {
        QCOMPARE(stagesThatFollow(5, branching()), (std::vector<StageId>{{2}}));
        QCOMPARE(stagesThatFollow(4, Feeds::chain(4)), (std::vector<StageId>{}));
        QVERIFY(followsBegin(actionOf(ActionKind::Forward, 2), branching()));
        QVERIFY(!followsBegin(actionOf(ActionKind::FullBackward, 2), branching()));
        QVERIFY(!followsBegin(actionOf(ActionKind::Forward, 0), branching()));
        QVERIFY(!followsBegin(actionOf(ActionKind::Forward, 3), branching()));
    }

    void forwardsEndAtTheStagesThatFeedNone()
    {
        QCOMPARE(endsAt(ActionKind::Forward, false), (std::vector<int>{3, 4}));
        QCOMPARE(endsAt(ActionKind::FullBackward, false), (std::vector<int>{}));
        QCOMPARE(endsOfMicrobatch(5, branching(), false), 2);
        QCOMPARE(endsOfMicrobatch(4, Feeds::chain(4), false), 1);
    }

    void trainingEndsAtTheStagesThatNoneFeeds()
    {
        QCOMPARE(endsAt(ActionKind::FullBackward, true), (std::vector<int>{0, 2}));
        QCOMPARE(endsAt(ActionKind::BackwardWeight, true), (std::vector<int>{0, 2}));
        QCOMPARE(endsAt(ActionKind::BackwardInput, true), (std::vector<int>{})); // its weight part is still to come
        QCOMPARE(endsAt(ActionKind::Forward, true), (std::vector<int>{}));
        QCOMPARE(endsOfMicrobatch(5, branching(), true), 2);
    }
};

PIPESCOPE_TEST(TestCredit)
#include "tst_credit.moc"

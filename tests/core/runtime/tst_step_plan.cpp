#include "core/runtime/fake_pipeline.h"

#include "support/test_program.h"

#include <QTest>

using namespace pipescope;
using namespace pipescope::runtime;
using schedule::Action;
using schedule::ActionKind;

class TestStepPlan : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void onlyForwardActionsAreKept()
    {
        schedule::Schedule schedule{"mixed", 1, 2, {{}}};
        const Action f0{StageId{0}, ActionKind::Forward, MicrobatchId{0}, {}};
        const Action f1{StageId{0}, ActionKind::Forward, MicrobatchId{1}, {}};
        const Action b0{StageId{0}, ActionKind::FullBackward, MicrobatchId{0}, {}};
        const Action send{StageId{0}, ActionKind::SendF, MicrobatchId{0}, {}};
        const Action pair{StageId{}, ActionKind::OverlapFB, MicrobatchId{}, {f1, b0}};
        schedule.ranks[0] = {f0, send, std::nullopt, pair};

        const StepPlan plan = makeStepPlan(schedule, std::vector<StageRoute>(1), {"rank 0 (cpu:0)"}, 1, 0);
        QCOMPARE(plan.rows, (std::vector<std::vector<Task>>{{{StageId{0}, MicrobatchId{0}, ActionKind::Forward},
                                                             {StageId{0}, MicrobatchId{1}, ActionKind::Forward}}}));
        QCOMPARE(plan.tasks(), std::size_t(2));
        QCOMPARE(plan.microbatches, 2);
    }

    void microbatchesBeginInTheOrderOfStageZero()
    {
        const StepPlan plan = fake::chain(2, 3, {{{0, 2}, {0, 0}, {0, 1}}, {{1, 2}, {1, 0}, {1, 1}}}, 2);
        QCOMPARE(plan.beginOrder, (std::vector<MicrobatchId>{{2}, {0}, {1}}));
        QCOMPARE(plan.rankOf, (std::vector<RankId>{{0}, {1}}));
    }

    void aLimitThatNeverBindsIsNone()
    {
        QCOMPARE(fake::chain(2, 3, fake::inOrder(2, 3), 2).maxInFlight, 2);
        QCOMPARE(fake::chain(2, 3, fake::inOrder(2, 3), 3).maxInFlight, 0);
        QCOMPARE(fake::chain(2, 3, fake::inOrder(2, 3), 0).maxInFlight, 0);
    }

    void stagesThatNobodyFeedsAreKnown()
    {
        fake::Names names;
        const ValueId x = names.argument("x");
        const ValueId a = names.result("a");
        const ValueId b = names.result("b");
        const StepPlan plan = fake::planOf(names, {{{x}, {a}}, {{x}, {b}}, {{a, b}, {}}}, fake::inOrder(3, 1), 1);
        QCOMPARE(plan.unfedStages, (std::vector<StageId>{{1}}));
    }
};

PIPESCOPE_TEST(TestStepPlan)
#include "tst_step_plan.moc"

#include "core/runtime/fake_pipeline.h"

#include "support/test_program.h"

#include <QTest>

using namespace pipescope;
using namespace pipescope::runtime;

class TestStepPlan : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void eachRowIsItsRanksForwards()
    {
        const StepPlan plan = fake::chain(3, 2, {{{0, 1}, {0, 0}, {2, 1}, {2, 0}}, {{1, 1}, {1, 0}}});
        const auto task = [](int stage, int microbatch) {
            return Task{StageId{stage}, MicrobatchId{microbatch}, schedule::ActionKind::Forward};
        };
        QCOMPARE(plan.rows, (std::vector<std::vector<Task>>{{task(0, 1), task(0, 0), task(2, 1), task(2, 0)},
                                                            {task(1, 1), task(1, 0)}}));
        QCOMPARE(plan.tasks(), std::size_t(6));
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
        QCOMPARE(plan.followingStages, (std::vector<StageId>{{1}}));
    }
};

PIPESCOPE_TEST(TestStepPlan)
#include "tst_step_plan.moc"

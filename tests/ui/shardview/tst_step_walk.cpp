#include "shardview/step_walk.h"

#include "shardview/step_words.h"
#include "support/layouts.h"
#include "support/test_program.h"

#include <QTest>

using namespace pipescope;
using namespace pipescope::shardview;
using shard::Collective;
using shard::Planner;
using tests::layoutOf;

namespace {

StepWalk walkOf(const char *mesh, const char *from, const char *to, const shard::Sizes &shape)
{
    StepWalk walk;
    walk.set(layoutOf(mesh, from, shape), layoutOf(mesh, to, shape));
    return walk;
}

QString textOf(const shard::Layout *layout)
{
    return layout == nullptr ? QString("none") : QString::fromStdString(layout->text());
}

} // namespace

class TestStepWalk : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void nothingIsNowhere()
    {
        StepWalk walk;
        QCOMPARE(walk.places(), 1);
        QVERIFY(walk.before() == nullptr && walk.after() == nullptr && walk.step() == nullptr);
        QVERIFY(walk.plan() == nullptr);
        QCOMPARE(walk.refusal() + walk.difference() + walk.remarks(), QString());
    }

    void withoutATargetThereIsOneLayout()
    {
        StepWalk walk;
        walk.set(layoutOf("2,2", "S0,R", {8, 8}), std::nullopt);
        QCOMPARE(textOf(walk.before()), QString("S(0)R"));
        QVERIFY(walk.after() == nullptr && walk.plan() == nullptr);
        QCOMPARE(walk.refusal(), QString());
    }

    void aWayOfOneStepIsThatStep()
    {
        StepWalk walk = walkOf("4", "P", "S0", {8, 8});
        QCOMPARE(walk.places(), 1);
        QCOMPARE(walk.step()->collective, Collective::ReduceScatter);
        QCOMPARE(walk.stepIndex(), 0);
        QCOMPARE(textOf(walk.before()), QString("P(sum)"));
        QCOMPARE(textOf(walk.after()), QString("S(0)"));
        walk.goTo(7);
        QCOMPARE(walk.place(), 0);
    }

    void aLongerWayBeginsWithTheWholeOfIt()
    {
        StepWalk walk = walkOf("2,2", "S0,S1", "S1,S0", {8, 8});
        const int steps = static_cast<int>(walk.plan()->steps.size());
        QVERIFY(steps > 1);
        QCOMPARE(walk.places(), steps + 1);
        QVERIFY(walk.step() == nullptr);
        QCOMPARE(textOf(walk.before()), QString("S(0)S(1)"));
        QCOMPARE(textOf(walk.after()), QString("S(1)S(0)"));
        for (int step = 0; step < steps; ++step) {
            walk.goToStep(step);
            QCOMPARE(walk.place(), step + 1);
            QCOMPARE(walk.stepIndex(), step);
            QCOMPARE(*walk.before(), walk.plan()->steps[static_cast<std::size_t>(step)].before);
            QCOMPARE(*walk.after(), walk.plan()->steps[static_cast<std::size_t>(step)].after);
        }
        QCOMPARE(textOf(walk.after()), QString("S(1)S(0)"));
        walk.goTo(-3);
        QCOMPARE(walk.place(), 0);
    }

    void whereNothingChangesThereIsNoStep()
    {
        const StepWalk walk = walkOf("4", "S0", "S0", {8, 8});
        QVERIFY(walk.plan() != nullptr && walk.plan()->steps.empty());
        QVERIFY(walk.step() == nullptr);
        QCOMPARE(textOf(walk.after()), QString("S(0)"));
        QCOMPARE(walk.places(), 1);
    }

    void aWayThatIsRefusedSaysWhyAndHasBothEnds()
    {
        const StepWalk walk = walkOf("4", "R", "P", {8, 8});
        QVERIFY(walk.plan() == nullptr);
        QVERIFY2(walk.refusal().contains("only Shard to Partial(sum) redistribution is supported"),
                 qPrintable(walk.refusal()));
        QCOMPARE(textOf(walk.before()), QString("R"));
        QCOMPARE(textOf(walk.after()), QString("P(sum)"));
        QCOMPARE(walk.difference(), QString());
    }

    void whatTheOtherPlannerWouldDoIsSaidWhereItDiffers()
    {
        QCOMPARE(walkOf("4", "P", "S0", {8, 8}).difference(), QString());
        // Nested shards: PyTorch gathers twice, and one collective over both dimensions is enough.
        StepWalk walk = walkOf("2,2", "P,P", "R,R", {64, 64});
        QVERIFY2(walk.difference().startsWith("What PyTorch 2.15 would do: P(sum)P(sum)->"),
                 qPrintable(walk.difference()));
        QVERIFY2(walk.difference().contains("2 collectives"), qPrintable(walk.difference()));
        const std::size_t cheapest = walk.plan()->steps.size();
        walk.goTo(0);
        walk.setPlanner(Planner::Upstream);
        QVERIFY2(walk.difference().startsWith("The cheapest way: P(sum)P(sum)"), qPrintable(walk.difference()));
        QVERIFY(walk.plan()->steps.size() > cheapest);
    }

    void whatPyTorchWarnsOfIsSaidOfItsPlanOnly()
    {
        StepWalk walk = walkOf("dp=2,tp=2", "P,P", "R,R", {64, 64});
        QCOMPARE(walk.remarks(), QString());
        walk.setPlanner(Planner::Upstream);
        QVERIFY2(walk.remarks().startsWith("PyTorch warns: "), qPrintable(walk.remarks()));
    }

    void totalsAreThoseOfTheCollectives()
    {
        const StepWalk walk = walkOf("4", "P", "S0", {8, 8});
        QVERIFY2(totalText(*walk.plan()).startsWith("one collective, a rank gives 256 B, "),
                 qPrintable(totalText(*walk.plan())));
        const StepWalk local = walkOf("4", "R", "S0", {8, 8});
        QCOMPARE(totalText(*local.plan()), QString("no collective"));
        QCOMPARE(stepText(*local.step()), QString("local chunk over mesh dimension 0"));
    }
};

PIPESCOPE_TEST(TestStepWalk)
#include "tst_step_walk.moc"

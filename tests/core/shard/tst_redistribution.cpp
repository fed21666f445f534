// What a redistribution says of itself, and what is refused. How it is planned: tst_greedy_plan, tst_search_plan,
// tst_merge_by_flattenings, tst_cheapest_plan; that it is right: tst_random_redistributions.
#include "shard/redistribution.h"
#include "support/carry_out.h"
#include "support/contains.h"
#include "support/plan_text.h"
#include "support/test_program.h"

#include <QTest>
#include <limits>

using namespace pipescope;
using namespace pipescope::shard;
using tests::layoutOf;

namespace {

std::string refusal(const Layout &from, const Layout &to, AskedBy askedBy = AskedBy::User)
{
    for (const Planner planner : {Planner::Upstream, Planner::Cheapest}) {
        const auto plan = planRedistribution(from, to, planner, {}, askedBy);
        if (plan)
            return "no error";
        if (planner == Planner::Cheapest)
            return plan.error().message;
    }
    return {};
}

std::string refusalOn(const char *mesh, const char *from, const char *to, AskedBy askedBy = AskedBy::User)
{
    return refusal(layoutOf(mesh, from, {8, 8}), layoutOf(mesh, to, {8, 8}), askedBy);
}

const std::string OnlySums = ", only Shard to Partial(sum) redistribution is supported!";

} // namespace

class TestRedistribution : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void usersMakePartialsOfPlainShardsOnly()
    {
        QCOMPARE(refusalOn("4", "R", "P"), "Can not redistribute from R to P(sum)" + OnlySums);
        QCOMPARE(refusalOn("4", "S0", "P(avg)"), "Can not redistribute from S(0) to P(avg)" + OnlySums);
        QCOMPARE(refusalOn("4", "SS(0,2)", "P"), "Can not redistribute from _S(0, 2) to P(sum)" + OnlySums);
        QCOMPARE(refusalOn("4", "P(product)", "P"), "Can not redistribute from P(product) to P(sum)" + OnlySums);
        QCOMPARE(refusalOn("4", "P", "P(avg)"), "Can not redistribute from P(sum) to P(avg)" + OnlySums);
        QCOMPARE(refusalOn("4", "R", "NormP(2)"), "Can not redistribute from R to _NormP(2)" + OnlySums);
        QCOMPARE(refusalOn("2,2", "S0,R", "S0,P"), "Can not redistribute from R to P(sum)" + OnlySums);
        for (const auto &[from, to] : std::vector<std::pair<const char *, const char *>>{
                 {"P,S0", "P,S1"}, {"S0,P", "R,P"}, {"S0,S1", "P,S1"}, {"S0,S0", "S0,P"}, {"S0,S0", "P,P"}})
            QCOMPARE(refusalOn("2,2", from, to), std::string("no error"));
    }

    void operatorsMakePartialsOfReplicates()
    {
        for (const char *to : {"P", "P(avg)", "P(max)", "P(min)", "NormP(2)"})
            QCOMPARE(refusalOn("4", "R", to, AskedBy::Operator), std::string("no error"));
        QCOMPARE(refusalOn("4", "R", "P(product)", AskedBy::Operator),
                 std::string("Replicate to Partial(product) conversion is not supported."));
        QCOMPARE(refusalOn("4", "P", "P(avg)", AskedBy::Operator),
                 std::string("Redistribution from one partial type (P(sum)) to another (P(avg)) is unsupported."));
        QCOMPARE(refusalOn("4", "S0", "P(avg)", AskedBy::Operator),
                 std::string("redistribute from S(0) to P(avg) not supported yet"));
    }

    void otherTensorsAndMeshesAreRefused()
    {
        const Layout from = layoutOf("4", "S0", {8, 8});
        QCOMPARE(refusal(from, layoutOf("2,2", "R,R", {8, 8})),
                 std::string("Cross device mesh comm not supported yet!"));
        // PyTorch overlooks the mesh where the placements are the same.
        QCOMPARE(refusal(from, layoutOf("x=4", "S0", {8, 8})),
                 std::string("Cross device mesh comm not supported yet!"));
        QVERIFY(tests::contains(refusal(from, layoutOf("4", "R", {8, 4})), "keeps the tensor's shape"));
        const Layout halves = *Layout::make({tests::meshOf("4"), {Replicate{}}, {8, 8}, {}, {}, "float16"});
        QVERIFY(tests::contains(refusal(from, halves), "keeps the dtype"));
    }

    void constantsThatAreNoneAreRefused()
    {
        const Layout from = layoutOf("4", "S0", {8});
        const auto message = [&](const CostModel &costs) {
            const auto plan = planRedistribution(from, layoutOf("4", "R", {8}), Planner::Cheapest, costs);
            return plan ? std::string("no error") : plan.error().message;
        };
        CostModel costs;
        QCOMPARE(message(costs), std::string("no error"));
        costs.bandwidth = 0;
        QVERIFY(tests::contains(message(costs), "the bandwidth of the cost model is 0"));
        costs = {};
        costs.hopMicroseconds = -1;
        QVERIFY(tests::contains(message(costs), "a hop of the cost model is -1"));
        costs = {};
        costs.baseMicroseconds = std::numeric_limits<double>::quiet_NaN();
        QVERIFY(tests::contains(message(costs), "the base of the cost model is nan"));
        costs = {};
        costs.devicesPerHost = 0;
        QVERIFY(tests::contains(message(costs), "the number of devices per host"));
    }

    void anErrorNamesTheMeshDimension()
    {
        const auto plan =
            planRedistribution(layoutOf("2,2", "S0,R", {8}), layoutOf("2,2", "S0,P", {8}), Planner::Upstream);
        QCOMPARE(plan.error().where, std::string("mesh dimension 1"));
    }

    void bytesAreThoseOfTheLargestShardAndPadded()
    {
        // 13 rows over 4: 4, 4, 4, 1; gathered they are 13, sent as 16.
        const auto plan = tests::upstreamPlan(layoutOf("4", "S0", {13, 3}), layoutOf("4", "R", {13, 3}));
        QCOMPARE(plan.steps.at(0).bytes, (StepBytes{48, 156, 48, 192}));
        // 5 rows to 5 columns over 4: blocks of 2 x 2, 4 of them.
        const auto turned = tests::upstreamPlan(layoutOf("4", "S0", {5, 5}), layoutOf("4", "S1", {5, 5}));
        QCOMPARE(turned.steps.at(0).bytes, (StepBytes{40, 40, 64, 64}));
        const auto reduced = tests::upstreamPlan(layoutOf("4", "P", {3, 5}), layoutOf("4", "S1", {3, 5}));
        QCOMPARE(reduced.steps.at(0).bytes, (StepBytes{60, 24, 96, 24}));
        const auto chunk = tests::upstreamPlan(layoutOf("4", "R", {3, 5}), layoutOf("4", "S1", {3, 5}));
        QCOMPARE(chunk.steps.at(0).bytes, StepBytes{});
        const auto empty = tests::upstreamPlan(layoutOf("4", "S0", {0, 5}), layoutOf("4", "R", {0, 5}));
        QCOMPARE(empty.steps.at(0).bytes, StepBytes{});
    }

    void bytesOfHugeTensorsStayNumbers()
    {
        const std::int64_t most = std::numeric_limits<std::int64_t>::max() / 8;
        const LayoutRequest request{tests::meshOf("4096"), {Shard{0}}, {most}, {}, {}, "float64"};
        LayoutRequest whole = request;
        whole.placements = {Replicate{}};
        const auto plan = tests::upstreamPlan(*Layout::make(request), *Layout::make(whole));
        QVERIFY(plan.steps.at(0).bytes.out > plan.steps.at(0).bytes.in);
        QVERIFY(plan.steps.at(0).bytes.paddedOut >= plan.steps.at(0).bytes.out);
    }

    void timesAddUp()
    {
        const auto plan = tests::upstreamPlan(layoutOf("2,2", "S0,S0", {64, 64}), layoutOf("2,2", "S1,S1", {64, 64}));
        double sum = 0;
        for (const Step &step : plan.steps)
            sum += step.microseconds;
        QCOMPARE(plan.microseconds, sum);
        QCOMPARE(plan.microseconds,
                 redistributeCost(layoutOf("2,2", "S0,S0", {64, 64}), layoutOf("2,2", "S1,S1", {64, 64})));
        QCOMPARE(plan.steps.back().microseconds, 0.0); // a chunk
    }

    void shardsLieInZeros()
    {
        const Layout from = layoutOf("4", "S0", {7});
        const Layout to = layoutOf("4", "P", {7});
        const auto plan = tests::upstreamPlan(from, to);
        std::vector<tests::Values> values = tests::valuesOf(from);
        QCOMPARE(tests::LineRun(plan.steps.at(0), from.mesh().ranks(), values).run(), std::string());
        using tests::wholeValue;
        QCOMPARE(values[1], (tests::Values{0, 0, wholeValue(2), wholeValue(3), 0, 0, 0}));
        QCOMPARE(values[3], (tests::Values{0, 0, 0, 0, 0, 0, wholeValue(6)}));
    }

    void tensorsWithoutDimensionsAreReduced()
    {
        const auto plan = tests::upstreamPlan(layoutOf("2,2", "P,P", {}), layoutOf("2,2", "R,R", {}));
        QCOMPARE(tests::stepsText(plan), std::string("all_reduce@0 4>4, all_reduce@1 4>4"));
    }
};

PIPESCOPE_TEST(TestRedistribution)
#include "tst_redistribution.moc"

// PyTorch's search, which it takes for cuts in an explicit order and for strided shards that stand for one.
#include "shard/plans.h"
#include "shard/redistribution.h"
#include "support/contains.h"
#include "support/plan_text.h"
#include "support/test_program.h"

#include <QTest>
#include <cmath>
#include <limits>

using namespace pipescope;
using namespace pipescope::shard;
using tests::layoutOf;
using tests::stepsText;
using tests::upstreamPlan;

namespace {

std::string searchTrace(const Layout &from, const Layout &to)
{
    return traceText(from, upstreamPlan(from, to));
}

// The price of PyTorch's search, which its greedy walk does not always have: redistribute_cost while
// use_min_cost_redistribution_plan() is on.
double searchCost(const Layout &from, const Layout &to)
{
    PlanSpace space(from, CostModel{});
    const PlanState start = space.state(from);
    const std::optional<Plan> plan = planSearch(space, start, space.state(to));
    const PlanState *before = &start;
    double sum = 0;
    for (const Move &move : plan->moves) {
        const bool fillsZeros = move.collective == Collective::LocalPartial && space.zeroFill() > 0 &&
                                space.microseconds(*before, move) > 0;
        sum += fillsZeros ? std::numeric_limits<double>::infinity() : space.microseconds(*before, move);
        before = &move.after;
    }
    return sum;
}

constexpr const char *Kinds[] = {"R", "S0", "S1", "P"};

std::vector<Layout> allOnTwoByTwo(const Sizes &shape)
{
    std::vector<Layout> all;
    for (const char *left : Kinds)
        for (const char *right : Kinds)
            all.push_back(layoutOf("2,2", std::string(left) + "," + right, shape));
    return all;
}

bool hasPartial(const Layout &layout)
{
    return isPartial(layout.placements()[0]) || isPartial(layout.placements()[1]);
}

// How many triples are dearer straight on than by way of the one in the middle.
template <class Cost>
int brokenTriangles(const std::vector<Layout> &layouts, bool endsPartial, Cost costOf)
{
    std::vector<std::vector<double>> costs;
    for (const Layout &from : layouts) {
        costs.emplace_back();
        for (const Layout &to : layouts)
            costs.back().push_back(costOf(from, to));
    }
    int broken = 0;
    for (std::size_t a = 0; a < layouts.size(); ++a)
        for (std::size_t b = 0; b < layouts.size(); ++b)
            for (std::size_t c = 0; c < layouts.size(); ++c)
                if (hasPartial(layouts[c]) == endsPartial && costs[a][c] > costs[a][b] + costs[b][c] + 1e-9)
                    ++broken;
    return broken;
}

} // namespace

class TestSearchPlan : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void explicitOrdersAreReached()
    {
        const Sizes shape{8, 8};
        QCOMPARE(searchTrace(layoutOf("2,2,2", "P,R,S0", shape), layoutOf("2,2,2", "S0,R,S0", shape, "0:2,0")),
                 std::string("P(sum)RS(0)->S(0)[1]RS(0)[0]"));
        QCOMPARE(searchTrace(layoutOf("2,2", "S0,S0", shape), layoutOf("2,2", "S0,S0", shape, "0:1,0")),
                 std::string("S(0)[0]S(0)[1]->S(0)R->RR->RS(0)->S(0)[1]S(0)[0]"));
    }

    void stridedShardsThatStandForAnOrderAreThatOrder()
    {
        const Layout strided = layoutOf("2,2", "SS(0,2),S0", {8});
        const auto steps = [&](const char *to) { return stepsText(upstreamPlan(strided, layoutOf("2,2", to, {8}))); };
        QCOMPARE(steps("R,R"), std::string("all_gather@0 8>16, all_gather@1 16>32"));
        QCOMPARE(steps("S0,S0"), std::string("all_gather@0 8>16, all_gather@1 16>32, local_chunk@0, local_chunk@1"));
        QCOMPARE(steps("S0,R"), std::string("all_gather@0 8>16, all_gather@1 16>32, local_chunk@0"));
        QCOMPARE(steps("R,S0"), std::string("all_gather@0 8>16"));
        QCOMPARE(searchTrace(strided, layoutOf("2,2", "R,R", {8})), std::string("S(0)[1]S(0)[0]->RS(0)->RR"));
        QCOMPARE(searchTrace(layoutOf("2,2", "R,S0", {8}), strided), std::string("RS(0)->S(0)[1]S(0)[0]"));
    }

    void aStridedLayoutAndItsOrderAreOne()
    {
        const Layout strided = layoutOf("4,2", "SS(0,2),S0", {16});
        const Layout order = layoutOf("4,2", "S0,S0", {16}, "0:1,0");
        QVERIFY(upstreamPlan(strided, order).steps.empty());
        QVERIFY(upstreamPlan(order, strided).steps.empty());
        QCOMPARE(traceText(strided, upstreamPlan(strided, order)), std::string("S(0)[1]S(0)[0]"));
    }

    void theNoteTellsWhereUnevenSizesPartThem()
    {
        // 7 elements on 3 x 2: the order leaves one of another rank's.
        const Layout strided = layoutOf("3,2", "SS(0,2),S0", {7});
        const auto plan = upstreamPlan(strided, layoutOf("3,2", "R,R", {7}));
        QVERIFY(tests::contains(plan.note, "uneven sizes"));
        QCOMPARE(tests::collectivesOf(plan), 2);
    }

    void triangleHoldsForTargetsWithoutPartial()
    {
        const std::vector<Layout> all = allOnTwoByTwo({64, 64});
        QCOMPARE(brokenTriangles(all, false, searchCost), 0);
        // A Shard has no price as a Partial, by way of Replicate it has one.
        QCOMPARE(brokenTriangles(all, true, searchCost), 132);
    }

    void theGreedyWalkBreaksTheTriangleMoreOften()
    {
        const auto greedyCost = [](const Layout &from, const Layout &to) { return redistributeCost(from, to); };
        QCOMPARE(brokenTriangles(allOnTwoByTwo({64, 64}), false, greedyCost), 82);
    }

    void smallTensorsAreGatheredRatherThanExchanged()
    {
        const Layout from = layoutOf("2,2,2", "S0,S0,S0", {8, 8});
        const Layout to = layoutOf("2,2,2", "S1,S1,S1", {8, 8});
        PlanSpace space(from, CostModel{});
        const PlanState start = space.state(from);
        const std::optional<Plan> plan = planSearch(space, start, space.state(to));
        std::string trace = space.layout(plan->start).text();
        for (const Move &move : plan->moves)
            trace += "->" + space.layout(move.after).text();
        QVERIFY(tests::contains(trace, "S(0)[0]S(0)[1]S(0)[2]->S(0)[0]S(0)[1]R->S(0)RR->RRR->"));
        QCOMPARE(space.layout(plan->end()), to);
    }

    void aHugeSearchIsGivenUpWithAWord()
    {
        const std::string mesh = "2,2,2,2,2,2,2,2";
        const Layout from = layoutOf(mesh, "S0,S0,S0,S0,S1,S1,S1,S1", {256, 256, 4});
        const Layout to = layoutOf(mesh, "S1,S1,S1,S1,S0,S0,S0,S0", {256, 256, 4}, "0:7,6,5,4");
        const auto plan = upstreamPlan(from, to);
        QVERIFY(tests::contains(plan.note, "too many plans"));
        QCOMPARE(plan.steps.back().after, to);
    }
};

PIPESCOPE_TEST(TestSearchPlan)
#include "tst_search_plan.moc"

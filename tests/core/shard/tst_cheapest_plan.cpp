// The least time over all moves, which neither of PyTorch's planners always finds.
#include "shard/plans.h"
#include "shard/redistribution.h"
#include "support/carry_out.h"
#include "support/contains.h"
#include "support/plan_text.h"
#include "support/test_program.h"

#include <QTest>

using namespace pipescope;
using namespace pipescope::shard;
using tests::cheapestPlan;
using tests::layoutOf;
using tests::stepsText;

namespace {

std::string cheapestSteps(const char *mesh, const Sizes &shape, const char *from, const char *to,
                          int devicesPerHost = 1)
{
    CostModel costs;
    costs.devicesPerHost = devicesPerHost;
    return stepsText(cheapestPlan(layoutOf(mesh, from, shape), layoutOf(mesh, to, shape), costs));
}

std::vector<Layout> layoutsOnTwoDims(const char *mesh, const Sizes &shape)
{
    std::vector<Layout> all;
    const std::vector<std::string> kinds{"R", "S0", "S1", "P", "SS(0,2)", "SS(0,3)"};
    for (const std::string &left : kinds)
        for (const std::string &right : kinds)
            all.push_back(layoutOf(mesh, left + "," + right, shape));
    all.push_back(layoutOf(mesh, "S0,S0", shape, "0:1,0"));
    all.push_back(layoutOf(mesh, "S1,S1", shape, "1:1,0"));
    return all;
}

} // namespace

class TestCheapestPlan : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void neighbouringCollectivesAreOneWithoutAnyFlattening()
    {
        QCOMPARE(cheapestSteps("2,2", {8, 4}, "P,P", "R,R"), std::string("all_reduce@01 128>128"));
        QCOMPARE(cheapestSteps("2,2", {8, 4}, "S0,S0", "R,R"), std::string("all_gather@01 32>128"));
        QCOMPARE(cheapestSteps("2,2", {8, 4}, "P,P", "S0,S1"), std::string("reduce_scatter@01 128>32"));
        QCOMPARE(cheapestSteps("2,2", {512, 512}, "S0,S0", "S1,S1"), std::string("all_to_all@01 262144>262144"));
        QCOMPARE(cheapestSteps("2,2", {512, 512}, "S0,S1", "S1,S0"), std::string("all_to_all@01 1048576>1048576"));
        QCOMPARE(cheapestSteps("2,2,2", {8, 8}, "P,P,P", "R,R,R", 8), std::string("all_reduce@012 256>256"));
        QCOMPARE(cheapestSteps("2,2", {5, 3}, "S0,S0", "R,R"), std::string("all_gather@01 24>96"));
        // PyTorch reduces three times for this one: twice before and after the scatter.
        QCOMPARE(cheapestSteps("2,2,2", {8, 8}, "P,P,P", "R,S0,R"),
                 std::string("reduce_scatter@1 256>128, all_reduce@02 128>128"));
    }

    void longLinesAreNotMerged()
    {
        // 255 hops over both, 30 in turns.
        QCOMPARE(cheapestSteps("16,16", {256, 16}, "S0,S0", "R,R"),
                 std::string("all_gather@1 64>1024, all_gather@0 1024>16384"));
    }

    void orderedCutsAreOneExchange()
    {
        const auto plan = cheapestPlan(layoutOf("2,2", "S0,S0", {65536}), layoutOf("2,2", "S0,S0", {65536}, "0:1,0"));
        QCOMPARE(stepsText(plan), std::string("all_to_all@01 262144>262144"));
    }

    void stridedShardsNeedNoWayThroughReplicate()
    {
        QCOMPARE(cheapestSteps("4", {128, 128}, "SS(0,2)", "S1"), std::string("all_to_all@0 16384>16384"));
        QCOMPARE(cheapestSteps("4", {9}, "P", "SS(0,2)"), std::string("reduce_scatter@0 48>12"));
        QCOMPARE(cheapestSteps("2,2", {8}, "SS(0,2),S0", "SS(0,2),R"), std::string("all_gather@1 8>16"));
        QCOMPARE(cheapestSteps("2,2", {8}, "SS(0,2),S0", "R,S0"), std::string("all_gather@0 8>16"));
    }

    void slowLinksCarryLessWhereAFastOneCanGatherAfterwards()
    {
        // Each rank of a host gathers an eighth over the slow link.
        QCOMPARE(cheapestSteps("2,8", {4096, 4096}, "S0,R", "R,R", 8),
                 std::string("local_chunk@1, all_gather@0 4194304>8388608, all_gather@1 8388608>67108864"));
    }

    void dimensionsOfOneRankTakeNoStep()
    {
        QCOMPARE(cheapestSteps("4,1", {8, 8}, "S0,S1", "S0,R"), std::string());
        QCOMPARE(cheapestSteps("1,4", {8, 8}, "P,S0", "R,R"), std::string("all_gather@1 64>256"));
        QCOMPARE(cheapestSteps("4,1", {8, 8}, "S0,SS(0,5)", "S0,S0"), std::string());
    }

    void noPlanIsDearerThanPyTorchs()
    {
        tests::RandomLayouts random(5, {3, 3, 3, 9});
        int compared = 0;
        while (compared < 300) {
            const Layout from = random.layout();
            const Layout to = random.layout(from.mesh(), from.shape());
            const auto upstream = planRedistribution(from, to, Planner::Upstream);
            if (!upstream)
                continue;
            const auto cheapest = cheapestPlan(from, to);
            QVERIFY2(cheapest.microseconds <= upstream->microseconds + 1e-9,
                     (from.mesh().text() + from.specText() + " -> " + to.specText()).c_str());
            ++compared;
        }
    }

    void noWayAboutIsCheaper()
    {
        CostModel twoRanksAHost;
        twoRanksAHost.devicesPerHost = 2;
        for (const Sizes &shape : {Sizes{4, 4}, Sizes{64, 64}, Sizes{4096, 4096}, Sizes{5, 7}})
            for (const auto &[mesh, costs] : {std::pair{"2,2", CostModel{}}, std::pair{"3,2", twoRanksAHost}})
                compareTriangles(layoutsOnTwoDims(mesh, shape), costs);
    }

    void aHugeMeshGetsAPlanInTime()
    {
        const std::string mesh = "2,2,2,2,2,2,2,2,2,2";
        const Layout from = layoutOf(mesh, "S0,S0,S0,S0,S0,S1,S1,S1,S1,S1", {1024, 1024});
        const Layout to = layoutOf(mesh, "S1,S0,S1,S0,S1,S0,S1,S0,S1,S0", {1024, 1024}, "0:9,1,7,3,5");
        const auto plan = cheapestPlan(from, to);
        QVERIFY(!plan.steps.empty());
        QCOMPARE(plan.steps.front().before, from);
        QCOMPARE(plan.steps.back().after, to);
    }

private:
    // A Shard that is made a Partial on the way: what is only moved is never made a sum of zeros, which would cost a
    // minus zero its sign. Where sums are reduced anyway, it is.
    static bool addsZerosOnTheWay(const Layout &from, const Layout &way, const Layout &to)
    {
        const auto hasPartial = [](const Layout &layout) {
            return isPartial(layout.placements()[0]) || isPartial(layout.placements()[1]);
        };
        return hasPartial(way) && !hasPartial(from) && !hasPartial(to);
    }

    static void compareTriangles(const std::vector<Layout> &layouts, const CostModel &costs)
    {
        std::vector<std::vector<double>> price;
        for (const Layout &from : layouts) {
            price.emplace_back();
            for (const Layout &to : layouts) {
                const auto plan = planRedistribution(from, to, Planner::Cheapest, costs);
                price.back().push_back(plan ? plan->microseconds : -1);
            }
        }
        for (std::size_t a = 0; a < layouts.size(); ++a)
            for (std::size_t b = 0; b < layouts.size(); ++b)
                for (std::size_t c = 0; c < layouts.size(); ++c)
                    if (price[a][b] >= 0 && price[b][c] >= 0 &&
                        !addsZerosOnTheWay(layouts[a], layouts[b], layouts[c]) &&
                        price[a][c] > price[a][b] + price[b][c] + 1e-6)
                        QFAIL(
                            (layouts[a].specText() + " -> " + layouts[b].text() + " -> " + layouts[c].text()).c_str());
    }
};

PIPESCOPE_TEST(TestCheapestPlan)
#include "tst_cheapest_plan.moc"

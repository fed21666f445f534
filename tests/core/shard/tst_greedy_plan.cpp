// PyTorch's walk on n-D meshes: steps, bytes and trace strings, as PyTorch 2.15 gives them.
#include "shard/redistribution.h"
#include "support/contains.h"
#include "support/plan_text.h"
#include "support/test_program.h"

#include <QTest>

using namespace pipescope;
using namespace pipescope::shard;
using tests::layoutOf;
using tests::stepsText;
using tests::upstreamPlan;

namespace {

struct GreedyCase
{
    const char *mesh;
    Sizes shape;
    const char *from;
    const char *to;
    std::string steps;
};

void compareGreedy(const std::vector<GreedyCase> &cases)
{
    for (const GreedyCase &one : cases) {
        const auto plan = upstreamPlan(layoutOf(one.mesh, one.from, one.shape), layoutOf(one.mesh, one.to, one.shape));
        QCOMPARE(stepsText(plan), one.steps);
        QCOMPARE(plan.note, std::string());
    }
}

std::string greedyTrace(const char *mesh, const Sizes &shape, const char *from, const char *to)
{
    const Layout source = layoutOf(mesh, from, shape);
    return traceText(source, upstreamPlan(source, layoutOf(mesh, to, shape)));
}

} // namespace

class TestGreedyPlan : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void oneMeshDimensionTakesOneStep()
    {
        compareGreedy({
            {"4", {12, 3}, "S0", "R", "all_gather@0 36>144"},
            {"4", {13, 3}, "S0", "R", "all_gather@0 48>192"},
            {"4", {14, 3}, "S0", "R", "all_gather@0 48>192"},
            {"4", {12, 5}, "S0", "R", "all_gather@0 60>240"},
            {"4", {6, 4}, "P", "R", "all_reduce@0 96>96"},
            {"4", {6, 4}, "P(max)", "R", "all_reduce@0 96>96"},
            {"4", {12, 3}, "P", "S0", "reduce_scatter@0 144>36"},
            {"4", {13, 3}, "P(avg)", "S0", "reduce_scatter@0 192>48"},
            {"4", {3, 5}, "P", "S1", "reduce_scatter@0 96>24"},
            {"4", {2, 3}, "NormP(2)", "S0", "reduce_scatter@0 48>12"},
            {"4", {8, 8}, "S0", "S1", "all_to_all@0 64>64"},
            {"4", {8, 5}, "S0", "S1", "all_to_all@0 64>64"},
            {"4", {5, 8}, "S1", "S0", "all_to_all@0 64>64"},
            {"4", {5, 5}, "S0", "S1", "all_to_all@0 64>64"},
            {"4", {8, 8, 8}, "S0", "S2", "all_to_all@0 512>512"},
            {"4", {2, 8}, "S0", "S1", "all_to_all@0 32>32"},
            {"4", {12, 5}, "R", "S0", "local_chunk@0"},
            {"4", {4, 4}, "S0", "P", "local_partial@0"},
            {"4", {4, 4}, "R", "R", ""},
            {"4", {4, 4}, "P", "P", ""},
        });
    }

    void stridedShardsGoThroughReplicate()
    {
        compareGreedy({
            {"4", {9}, "SS(0,2)", "R", "all_gather@0 12>48"},
            {"4", {9}, "SS(0,2)", "S0", "all_gather@0 12>48, local_chunk@0"},
            {"4", {9}, "S0", "SS(0,3)", "all_gather@0 12>48, local_chunk@0"},
            {"4", {9}, "SS(0,3)", "SS(0,2)", "all_gather@0 12>48, local_chunk@0"},
            {"4", {9}, "P", "SS(0,2)", "all_reduce@0 36>36, local_chunk@0"},
            {"4", {9}, "R", "SS(0,2)", "local_chunk@0"},
            {"4", {9}, "SS(0,1)", "S0", ""}, // the same elements
        });
    }

    void nestedShardsAreUndoneFirst()
    {
        compareGreedy({
            {"2,2", {8, 8}, "S0,S1", "S0,S0", "all_to_all@1 64>64"},
            {"2,2", {8, 8}, "S0,S1", "S1,S0", "all_gather@1 64>128, all_to_all@0 128>128, local_chunk@1"},
            {"2,2", {8, 8}, "S0,S0", "S1,S1", "all_gather@1 64>128, all_to_all@0 128>128, local_chunk@1"},
            {"2,2", {8, 8}, "S0,S0", "R,S0", "all_gather@1 64>128, all_gather@0 128>256, local_chunk@1"},
            {"2,2", {8, 8, 8}, "S1,S1", "S1,S2", "all_to_all@1 512>512"},
            {"2,2", {8, 4}, "S0,S0", "R,R", "all_gather@1 32>64, all_gather@0 64>128"},
            {"2,2", {8, 4}, "P,P", "R,R", "all_reduce@0 128>128, all_reduce@1 128>128"},
            {"2,2", {5, 3}, "P,P", "S0,S0", "reduce_scatter@0 72>36, reduce_scatter@1 48>24"},
        });
    }

    void aReplicateIsCutBeforeAnotherDimensionIsGathered()
    {
        compareGreedy({{"2,2", {8, 8}, "S0,R", "R,S1", "local_chunk@1, all_gather@0 64>128"}});
    }

    void threeMeshDimensionsTakeUpstreamsSteps()
    {
        compareGreedy({
            {"2,2,2",
             {8, 8, 8},
             "S0,S0,S0",
             "S1,S1,S1",
             "all_gather@2 256>512, all_gather@1 512>1024, all_to_all@0 1024>1024, local_chunk@1, local_chunk@2"},
            {"2,2,2", {8, 8, 8}, "S0,S1,S2", "S2,S1,S0", "all_gather@2 256>512, all_to_all@0 512>512, local_chunk@2"},
            {"2,2,2", {8, 8, 8}, "S0,S0,S1", "S0,S1,S2", "all_to_all@2 256>256, all_to_all@1 256>256"},
            {"2,2,2", {8, 8}, "P,R,P", "R,R,R", "all_reduce@0 256>256, all_reduce@2 256>256"},
            {"2,2,2", {8, 8}, "S0,R,S0", "R,R,R", "all_gather@2 64>128, all_gather@0 128>256"},
            {"2,2,2",
             {8, 8},
             "P,P,P",
             "R,S0,R",
             "all_reduce@0 256>256, reduce_scatter@1 256>128, all_reduce@2 128>128"},
        });
    }

    void threeMeshDimensionsTakeAsManyCollectivesAsUpstream()
    {
        const auto count = [](const char *from, const char *to) {
            const Sizes shape{8, 8, 8};
            return tests::collectivesOf(upstreamPlan(layoutOf("2,2,2", from, shape), layoutOf("2,2,2", to, shape)));
        };
        QCOMPARE(count("S0,S0,S0", "S1,S1,S1"), 3);
        QCOMPARE(count("S0,S1,S0", "S1,S0,S0"), 3);
        QCOMPARE(count("S0,S1,S2", "S2,S1,S0"), 2);
        QCOMPARE(count("S1,S0,S0", "R,S0,S0"), 1);
        QCOMPARE(count("S1,R,S0", "R,S0,S0"), 2);
        QCOMPARE(count("S0,S0,S1", "S0,S1,S2"), 2);
    }

    void aDimensionOfOneRankMovesNothing()
    {
        compareGreedy({
            {"4,1", {8, 8}, "S0,S1", "S0,R", "none@1"},
            {"4,1", {8, 8}, "R,P", "R,R", "none@1"},
            {"4,1", {8, 8}, "R,S0", "R,S1", "none@1"},
            {"4,1", {8, 8}, "S0,R", "S0,S0", "none@1"},
        });
    }

    void traceStringsAreUpstreams()
    {
        QCOMPARE(greedyTrace("2,2,2", {8, 8}, "S0,S0,S0", "R,S0,S0"),
                 std::string("S(0)[0]S(0)[1]S(0)[2]->S(0)[0]S(0)[1]R->S(0)RR->RRR->RS(0)R->RS(0)[0]S(0)[1]"));
        QCOMPARE(greedyTrace("2,2,2", {8, 8}, "S0,S0,S0", "S1,S1,S1"),
                 std::string("S(0)[0]S(0)[1]S(0)[2]->S(0)[0]S(0)[1]R->S(0)RR->S(1)RR->S(1)[0]S(1)[1]R->"
                             "S(1)[0]S(1)[1]S(1)[2]"));
        QCOMPARE(greedyTrace("2,2", {8, 8}, "P,S0", "R,S0"), std::string("P(sum)S(0)->RS(0)"));
        QCOMPARE(greedyTrace("2,2", {8, 8}, "P,S0", "P,S0"), std::string("P(sum)S(0)"));
    }

    void theTraceHasOneStepToStridedShards()
    {
        QCOMPARE(greedyTrace("2,2", {16, 6}, "S0,R", "SS(0,3),S1"), std::string("S(0)R->S(0)S(1)->_S(0, 3)S(1)"));
        QCOMPARE(greedyTrace("4,2", {5, 5}, "R,R", "SS(0,4),SS(0,3)"),
                 std::string("RR->_S(0, 4)R->_S(0, 4)[0]_S(0, 3)[1]"));
    }

    void stridedShardsOfOneRankAreInNobodysWay()
    {
        const Layout from = layoutOf("4,1", "P(max),SS(0,4)", {5});
        const auto plan = upstreamPlan(from, layoutOf("4,1", "S0,S0", {5}));
        QCOMPARE(plan.note, std::string());
        QCOMPARE(tests::collectivesOf(plan), 1);
    }

    void theNoteTellsWhereUpstreamWouldMoveWrongElements()
    {
        // Split factors that are no product of mesh sizes, and gathers under another cut.
        for (const auto &[from, to] : std::vector<std::pair<const char *, const char *>>{
                 {"SS(0,3),S0", "R,R"}, {"S0,R", "R,SS(0,3)"}, {"SS(0,3),S0", "SS(0,3),R"}, {"R,S0", "SS(0,3),S0"}}) {
            const Layout source = layoutOf("2,2", from, {12});
            const Layout target = layoutOf("2,2", to, {12});
            const auto plan = upstreamPlan(source, target);
            QVERIFY2(tests::contains(plan.note, "PyTorch 2.15"), from);
        }
        // Its walk is right where every strided cut is the last one.
        compareGreedy({{"2,2", {12}, "SS(0,3),R", "R,R", "all_gather@0 24>48"},
                       {"2,2", {12, 4}, "SS(0,3),S1", "R,S1", "all_gather@0 48>96"}});
    }

    void partialsOfTwoKindsAreNeverSideBySide()
    {
        const auto plan = upstreamPlan(layoutOf("2,2", "P(max),S0", {8}), layoutOf("2,2", "R,P", {8}));
        QCOMPARE(stepsText(plan), std::string("all_reduce@0 16>16, local_partial@1"));
        QVERIFY(tests::contains(plan.note, "two kinds"));
    }
};

PIPESCOPE_TEST(TestGreedyPlan)
#include "tst_greedy_plan.moc"

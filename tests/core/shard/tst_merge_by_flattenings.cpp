// Steps over several mesh dimensions at once, where the mesh has such a flattening, as PyTorch 2.15 merges them.
#include "shard/redistribution.h"
#include "support/carry_out.h"
#include "support/contains.h"
#include "support/plan_text.h"
#include "support/test_program.h"

#include <QTest>

using namespace pipescope;
using namespace pipescope::shard;
using tests::flattened;
using tests::layoutOn;
using tests::meshOf;
using tests::stepsText;
using tests::upstreamPlan;

namespace {

std::string mergedSteps(const DeviceMesh &mesh, const char *from, const char *to, const Sizes &shape)
{
    return stepsText(upstreamPlan(layoutOn(mesh, from, shape), layoutOn(mesh, to, shape)));
}

} // namespace

class TestMergeByFlattenings : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void reductionsGathersAndScattersBecomeOne()
    {
        const DeviceMesh mesh = flattened(meshOf("a=2,b=2"), {"a", "b"});
        QCOMPARE(mergedSteps(mesh, "P,P", "R,R", {8, 4}), std::string("all_reduce@01 128>128"));
        QCOMPARE(mergedSteps(mesh, "P,P(avg)", "R,R", {8, 4}), std::string("all_reduce@01 128>128"));
        QCOMPARE(mergedSteps(mesh, "S0,S0", "R,R", {8, 4}), std::string("all_gather@01 32>128"));
        QCOMPARE(mergedSteps(mesh, "P,P", "S0,S0", {8, 4}), std::string("reduce_scatter@01 128>32"));
        // Not of one kind, or not along one tensor dimension.
        QCOMPARE(mergedSteps(mesh, "P,P", "S0,S1", {8, 4}),
                 std::string("reduce_scatter@0 128>64, reduce_scatter@1 64>32"));
        QCOMPARE(mergedSteps(mesh, "S0,S1", "R,R", {8, 4}), std::string("all_gather@1 32>64, all_gather@0 64>128"));
        QCOMPARE(mergedSteps(mesh, "P,R", "R,R", {8, 4}), std::string("all_reduce@0 128>128"));
    }

    void theTraceMarksThem()
    {
        const DeviceMesh mesh = flattened(meshOf("a=2,b=2"), {"a", "b"});
        const Layout from = layoutOn(mesh, "S0,S0", {8, 4});
        QCOMPARE(traceText(from, upstreamPlan(from, layoutOn(mesh, "R,R", {8, 4}))),
                 std::string("S(0)[0]S(0)[1]-->RR"));
    }

    void dimensionsApartNeedTheirOwnFlattening()
    {
        const DeviceMesh plain = meshOf("a=2,b=2,c=2");
        const DeviceMesh mesh = flattened(plain, {"a", "c"});
        QCOMPARE(mergedSteps(mesh, "P,R,P", "R,R,R", {8, 8}), std::string("all_reduce@02 256>256"));
        QCOMPARE(mergedSteps(mesh, "S0,R,S0", "R,R,R", {8, 8}), std::string("all_gather@02 64>256"));
        // A group is merged whole or not at all, and a step of another kind parts it.
        QCOMPARE(mergedSteps(mesh, "P,P,P", "R,R,R", {8, 8}),
                 std::string("all_reduce@0 256>256, all_reduce@1 256>256, all_reduce@2 256>256"));
        QCOMPARE(mergedSteps(mesh, "P,P,P", "R,S0,R", {8, 8}),
                 std::string("all_reduce@0 256>256, reduce_scatter@1 256>128, all_reduce@2 128>128"));
        QCOMPARE(mergedSteps(plain, "P,R,P", "R,R,R", {8, 8}),
                 std::string("all_reduce@0 256>256, all_reduce@2 256>256"));
    }

    void unevenScattersStaySeparate()
    {
        const DeviceMesh mesh = flattened(meshOf("a=2,b=2"), {"a", "b"});
        const auto plan = upstreamPlan(layoutOn(mesh, "P,P", {5, 3}), layoutOn(mesh, "S0,S0", {5, 3}));
        QCOMPARE(stepsText(plan), std::string("reduce_scatter@0 72>36, reduce_scatter@1 48>24"));
        QCOMPARE(plan.warnings.size(), std::size_t{1});
        QVERIFY(tests::contains(plan.warnings[0], "not evenly divisible by the product of the mesh dim sizes"));
        QCOMPARE(plan.note, std::string());
    }

    // PyTorch merges all four and loses the last rows of 5 and 6.
    void nestedUnevenGathersStayRight()
    {
        const DeviceMesh mesh = flattened(meshOf("a=2,b=2"), {"a", "b"});
        for (const std::int64_t rows : {5, 6, 7, 8, 9, 10, 11, 12, 13}) {
            const Layout from = layoutOn(mesh, "S0,S0", {rows, 3});
            const Layout to = layoutOn(mesh, "R,R", {rows, 3});
            const auto plan = upstreamPlan(from, to);
            QCOMPARE(tests::wrongIn(plan, from, to), std::string());
            const bool nests = rows % 4 == 0 || rows % 4 == 3; // as one cut in 4
            QCOMPARE(plan.steps.size(), std::size_t(nests ? 1 : 2));
            QCOMPARE(plan.note.empty(), nests);
        }
    }

    void theWarningIsPyTorchs()
    {
        const auto warning = [](const char *mesh) {
            return upstreamPlan(layoutOn(meshOf(mesh), "P,P", {8}), layoutOn(meshOf(mesh), "R,R", {8})).warnings.at(0);
        };
        const std::string start =
            "While redistributing from (Partial(sum), Partial(sum)) to (Replicate(), Replicate()), 2 sequential "
            "all_reduce operations will be performed. This is suboptimal: multiple collective operations have higher "
            "latency (separate kernel launches and synchronization points) and may give inconsistent results between "
            "ranks due to different reduction orders. To optimize, flatten mesh dimensions [";
        const std::string end = "] so DTensor can use a single operation instead.";
        QCOMPARE(warning("a=2,b=2"), start + R"("a", "b")" + end);
        QCOMPARE(warning("2,2"), start + "dims 0, 1 of DeviceMesh((2, 2), 'cpu', stride=(2, 1))" + end);
    }

    void anotherOrderOfStepsIsNotMerged()
    {
        const DeviceMesh mesh = flattened(meshOf("a=2,b=2"), {"a", "b"});
        const auto plan = upstreamPlan(layoutOn(mesh, "S0,S0", {8}, "0:1,0"), layoutOn(mesh, "R,R", {8}));
        QCOMPARE(stepsText(plan), std::string("all_gather@0 8>16, all_gather@1 16>32"));
        QVERIFY(tests::contains(plan.warnings.at(0),
                                "it is not possible to merge non-ascending order all_gather operations."));
    }

    void sumsBesideAveragesReduceRight()
    {
        const DeviceMesh mesh = flattened(meshOf("a=2,b=3"), {"a", "b"});
        for (const char *placements : {"P,P", "P(avg),P", "P,P(avg)", "P(avg),P(avg)", "P(max),P(max)"})
            for (const char *target : {"R,R", "S0,S0"}) {
                const Layout from = layoutOn(mesh, placements, {12});
                const Layout to = layoutOn(mesh, target, {12});
                const auto plan = upstreamPlan(from, to);
                QCOMPARE(plan.steps.size(), std::size_t{1});
                QCOMPARE(tests::wrongIn(plan, from, to), std::string());
            }
    }
};

PIPESCOPE_TEST(TestMergeByFlattenings)
#include "tst_merge_by_flattenings.moc"

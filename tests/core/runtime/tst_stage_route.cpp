#include "core/runtime/fake_pipeline.h"

#include "support/test_program.h"

#include <QTest>

using namespace pipescope;
using namespace pipescope::runtime;

class TestStageRoute : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void everyValueGoesStraightToWhoUsesIt()
    {
        // Stage 0 gives h to 1 and 2; the mask goes to stage 2 only; h and z are returned, z twice.
        fake::Names names;
        const ValueId x = names.argument("x");
        const ValueId mask = names.argument("mask");
        const ValueId h = names.result("h");
        const ValueId y = names.result("y");
        const ValueId z = names.result("z");
        names.graph.outputs = {z, h, z};

        const auto routes = makeStageRoutes(names.graph, {{{x}, {h}}, {{h}, {y}}, {{mask, h, y}, {z}}});
        QVERIFY(bool(routes));
        QCOMPARE(routes->size(), std::size_t(3));
        QCOMPARE((*routes)[0].inlets, (std::vector<Inlet>{{x, "x", 0, {}}}));
        QCOMPARE((*routes)[0].outlets, (std::vector<Outlet>{{h, "h", {StageId{1}, StageId{2}}, {1}}}));
        QCOMPARE((*routes)[1].outlets, (std::vector<Outlet>{{y, "y", {StageId{2}}, {}}}));
        QCOMPARE((*routes)[2].inlets,
                 (std::vector<Inlet>{{mask, "mask", 1, {}}, {h, "h", -1, StageId{0}}, {y, "y", -1, StageId{1}}}));
        QCOMPARE((*routes)[2].outlets, (std::vector<Outlet>{{z, "z", {}, {0, 2}}}));
    }

    void aStageWithArgumentsOnlyIsNotFed()
    {
        fake::Names names;
        const ValueId x = names.argument("x");
        const ValueId a = names.result("a");
        const ValueId b = names.result("b");
        const auto routes = makeStageRoutes(names.graph, {{{x}, {a}}, {{x}, {b}}, {{a, b}, {}}, {{}, {}}});
        QCOMPARE((*routes)[0].inlets, (std::vector<Inlet>{{x, "x", 0, {}}}));
        QCOMPARE((*routes)[1].inlets, (std::vector<Inlet>{{x, "x", 0, {}}}));
        QCOMPARE((*routes)[2].inlets, (std::vector<Inlet>{{a, "a", -1, StageId{0}}, {b, "b", -1, StageId{1}}}));
        QCOMPARE((*routes)[3].inlets, std::vector<Inlet>());
    }

    void aValueThatNoEarlierStageGivesIsRefused()
    {
        fake::Names names;
        const ValueId x = names.argument("x");
        const ValueId h = names.result("h");
        const auto routes = makeStageRoutes(names.graph, {{{x, h}, {}}, {{x}, {h}}});
        QCOMPARE(routes.error().code, ErrorCode::InvalidArgument);
        QCOMPARE(routes.error().message, std::string("stage 0 takes h, which no earlier stage gives"));
        QCOMPARE(routes.error().where, std::string("stage 0"));
    }
};

PIPESCOPE_TEST(TestStageRoute)
#include "tst_stage_route.moc"

#include "session/next_needs.h"

#include "support/graph_builder.h"
#include "support/qt_warnings.h"
#include "support/session_desk.h"
#include "support/test_program.h"

#include <QSignalSpy>
#include <QTest>

using namespace pipescope;
using session::needsOf;
using session::RunController;

namespace {

/// Two layers, profiled on x=float32[10,20], which is 800 bytes; or only loaded, or only read.
enum class Known { Profiled, Loaded, Read };

report::Inspection twoLayers(Known known)
{
    report::Inspection inspection;
    inspection.path = "model.pt";
    inspection.sha256 = "aa";
    inspection.structureOnly = known == Known::Read;
    inspection.profiled = known == Known::Profiled;
    inspection.graph = tests::graphFromText(known == Known::Profiled ? R"(
        in x
        param v first.weight 300
        param w second.weight 100
        call first
            h = aten::linear x v *400
        end
        call second
            y = aten::linear h w *200
        end
        return y
    )"
                                                                     : R"(
        in x
        param v first.weight 300
        param w second.weight 100
        call first
            h = aten::linear x v
        end
        call second
            y = aten::linear h w
        end
        return y
    )");
    if (known == Known::Profiled)
        inspection.graph.values[inspection.graph.arguments[0].value.index()].bytes = 800;
    return inspection;
}

struct NeedsDesk : tests::SessionDesk
{
    explicit NeedsDesk(Known known)
    {
        begin();
        document.edit("Split", [](plan::Plan &plan) {
            plan.splits = {"second"};
            plan.inputs = {*plan::parseInputSpec("x=float32[10,20]")};
            plan.microbatches = 2;
        });
        if (known == Known::Profiled)
            controller.profile();
        else
            controller.look(known == Known::Loaded ? RunController::Look::Loading : RunController::Look::Reading);
        answer(twoLayers(known));
    }
    void tellMemory(std::int64_t bytes)
    {
        controller.look(RunController::Look::Loading);
        engine.say(protocol::Notification{engine.requests.back().id, std::string(protocol::MemoryEvent),
                                          protocol::toBody(protocol::MemoryNote{1, {bytes, "/proc/meminfo"}})});
    }
};

} // namespace

class TestNextNeeds : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { tests::failOnWarnings(); }

    void withoutAModelNothingIsSaid()
    {
        tests::SessionDesk desk;
        desk.begin();
        QVERIFY(!needsOf(desk.controller));
    }

    void aModelThatWasOnlyReadHasWeights()
    {
        const NeedsDesk desk(Known::Read);
        const auto needs = needsOf(desk.controller);
        QVERIFY(needs);
        QCOMPARE(needs->weights, std::int64_t(400));
        QVERIFY(needs->stageWeights.empty());
        QVERIFY(!needs->activations);
        QCOMPARE(needs->ranks, 0);
    }

    void aLoadedModelHasStagesAndRanksToo()
    {
        const NeedsDesk desk(Known::Loaded);
        const auto needs = needsOf(desk.controller);
        QCOMPARE(needs->stageWeights, (std::vector<std::int64_t>{300, 100}));
        QCOMPARE(needs->ranks, 2);
        QVERIFY(!needs->activations);
    }

    void aProfiledModelHasActivations()
    {
        NeedsDesk desk(Known::Profiled);
        // x (800), an h (200), an h and a y (300), a y of the other one (100).
        QCOMPARE(needsOf(desk.controller)->activations, std::optional<std::int64_t>(1400));
        desk.controller.setSettings({1, 1, false});
        QCOMPARE(needsOf(desk.controller)->comparison, std::optional<std::int64_t>(0));
    }

    void aProfileOfOtherInputsSaysNothing()
    {
        NeedsDesk desk(Known::Profiled);
        desk.document.edit("Inputs",
                           [](plan::Plan &plan) { plan.inputs = {*plan::parseInputSpec("x=float32[1000,20]")}; });
        QVERIFY(!needsOf(desk.controller)->activations);
    }

    void aRunOfTheSamePlanHasMeasuredThem()
    {
        NeedsDesk desk(Known::Loaded);
        report::TracedRun run;
        run.plan = desk.document.plan();
        run.trace.ranks = 2;
        run.stats.ranks.resize(2);
        run.stats.ranks[0].peakBytes = 1000;
        run.stats.ranks[1].peakBytes = 600;
        desk.finish(run);
        const auto needs = needsOf(desk.controller);
        QCOMPARE(needs->activations, std::optional<std::int64_t>(800 + 1600));
        QVERIFY(needs->isMeasured);
        desk.document.edit("Microbatches", [](plan::Plan &plan) { plan.microbatches = 5; });
        QVERIFY(!needsOf(desk.controller)->activations);
    }

    void theEngineSaysWhatItsMachineHas()
    {
        NeedsDesk desk(Known::Loaded);
        QVERIFY(!needsOf(desk.controller)->machine.memory); // the played engine has not said
        const QSignalSpy changed(&desk.controller, &RunController::machineChanged);
        desk.tellMemory(300);
        QCOMPARE(changed.size(), 1);
        const auto needs = needsOf(desk.controller);
        QVERIFY(needs->machine.memory == (AvailableMemory{300, "/proc/meminfo"}));
        QCOMPARE(needs->fits(), std::optional(false));
        desk.client.stop();
        QVERIFY(!needsOf(desk.controller)->machine.memory);
    }
};

PIPESCOPE_TEST(TestNextNeeds)
#include "tst_next_needs.moc"

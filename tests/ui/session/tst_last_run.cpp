#include "session/last_run.h"

#include "support/graph_builder.h"
#include "support/qt_warnings.h"
#include "support/session_desk.h"
#include "support/test_program.h"

#include <QTest>
#include <functional>
#include <memory>
#include <string>

using namespace pipescope;

namespace {

constexpr auto ThreeModules =
    "in x\ncall a\nu = aten::sin x\nend\ncall b\nv = aten::cos u\nend\ncall c\nw = aten::neg v\nend\nreturn w";

/// A model of the file with this hash, and a run of it as the engine answers it.
struct LastRunDesk : tests::SessionDesk
{
    explicit LastRunDesk(const std::string &sha256 = std::string(64, 'a'))
    {
        begin();
        read(sha256);
    }
    void read(const std::string &sha256)
    {
        report::Inspection model;
        model.path = "model.pt";
        model.sha256 = sha256;
        model.graph = tests::graphFromText(ThreeModules);
        document.setModel(std::make_shared<const report::Inspection>(model));
    }
    void edit(const std::function<void(plan::Plan &)> &change) { document.edit("Edit", change); }
    void finishOf(const std::string &sha256)
    {
        report::TracedRun run;
        run.plan = document.plan();
        run.plan.modelSha256 = sha256;
        run.plan.devices = {"cpu:0", "cpu:1"};
        finish(run);
    }
    [[nodiscard]] bool has() const { return session::lastRun(controller, document) != nullptr; }
};

} // namespace

/// A run belongs to the stages it was made of, however they were named, and to all else that it was measured with.
class TestLastRun : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { tests::failOnWarnings(); }

    void aRunBelongsToItsStagesInWhateverOrderTheyAreNamed()
    {
        tests::SessionDesk desk;
        desk.begin();
        report::Inspection model;
        model.graph = tests::graphFromText(
            "in x\ncall a\nu = aten::sin x\nend\ncall b\nv = aten::cos u\nend\ncall c\nw = aten::neg v\nend\nreturn w");
        desk.document.setModel(std::make_shared<const report::Inspection>(model));
        const auto split = [&](std::vector<std::string> splits) {
            desk.document.edit("Split", [&](plan::Plan &plan) { plan.splits = splits; });
        };
        split({"b", "c"});
        report::TracedRun run;
        run.plan = desk.document.plan();
        desk.finish(run);
        QVERIFY(session::lastRun(desk.controller, desk.document) != nullptr);
        split({"c", "b"});
        QVERIFY(session::lastRun(desk.controller, desk.document) != nullptr);
        split({"b"});
        QVERIFY(session::lastRun(desk.controller, desk.document) == nullptr);
    }

    void aRunBelongsToTheFileThatWasRun()
    {
        const std::string before(64, 'a');
        const std::string after(64, 'b');
        LastRunDesk desk(before);
        desk.finishOf(before);
        QVERIFY(desk.has()); // the devices were filled in by the engine
        desk.read(after);
        QVERIFY(!desk.has());
        desk.finishOf(after);
        QVERIFY(desk.has());
        desk.read(before);
        QVERIFY(desk.has()); // the first one
        QCOMPARE(session::lastRun(desk.controller, desk.document)->plan.modelSha256, before);
    }

    void aMeasurementBelongsToAllThatItDependsOn_data()
    {
        using Change = std::function<void(plan::Plan &)>;
        QTest::addColumn<Change>("change");
        QTest::addColumn<bool>("isStillOfIt");
        const auto row = [](const char *name, const Change &change, bool isStillOfIt = false) {
            QTest::newRow(name) << change << isStillOfIt;
        };
        row("method", [](plan::Plan &plan) { plan.method = "encode"; });
        row("library", [](plan::Plan &plan) { plan.opLibraries = {"lib.so"}; });
        row("inputs", [](plan::Plan &plan) { plan.inputs = {*plan::parseInputSpec("float32[2]")}; });
        row("specialised", [](plan::Plan &plan) { plan.specialised = {*plan::parseInputSpec("sr=16000")}; });
        row("microbatches", [](plan::Plan &plan) { plan.microbatches = 8; });
        row("schedule", [](plan::Plan &plan) { plan.schedule = "1f1b"; });
        row("devices", [](plan::Plan &plan) { plan.devices = {"cpu:0"}; });
        row("threads", [](plan::Plan &plan) { plan.threadsPerRank = 2; });
        row("in flight", [](plan::Plan &plan) { plan.maxInFlight = 1; });
        row("seed", [](plan::Plan &plan) { plan.seed = 7; });
        row("gradients", [](plan::Plan &plan) { plan.grad = true; });
        row(
            "tolerances", [](plan::Plan &plan) { plan.rtol = plan.atol = 0.1; }, true);
        row(
            "the hash that the plan's file names", [](plan::Plan &plan) { plan.modelSha256 = std::string(64, 'c'); },
            true);
    }

    void aMeasurementBelongsToAllThatItDependsOn()
    {
        QFETCH(const std::function<void(plan::Plan &)>, change);
        QFETCH(const bool, isStillOfIt);
        LastRunDesk desk;
        desk.edit([](plan::Plan &plan) { plan.splits = {"b"}; });
        desk.finishOf(std::string(64, 'a'));
        QVERIFY(desk.has());
        desk.edit(change);
        QCOMPARE(desk.has(), isStillOfIt);
        desk.document.undoStack().undo();
        QVERIFY(desk.has());
    }
};

PIPESCOPE_TEST(TestLastRun)
#include "tst_last_run.moc"

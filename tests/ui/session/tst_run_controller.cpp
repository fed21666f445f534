#include "session/run_controller.h"
#include "support/session_desk.h"

#include <QSignalSpy>
#include <QtTest>

using namespace pipescope;
using namespace pipescope::session;

namespace {

struct Desk : tests::SessionDesk
{
    Desk() { begin("/models/decoder.pt"); }
    [[nodiscard]] std::int64_t asked() const { return engine.requests.back().id; }
    template <class T>
    [[nodiscard]] T body() const
    {
        return SessionDesk::asked<T>();
    }
};

} // namespace

class TestRunController : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aModelIsReadLoadedOrProfiledAsAsked()
    {
        Desk desk;
        desk.document.edit("Input", [](plan::Plan &plan) { plan.inputs = {*plan::parseInputSpec("float32[2]")}; });
        desk.controller.look(RunController::Look::Reading);
        QVERIFY(desk.body<report::InspectRequest>().structureOnly);
        desk.controller.look(RunController::Look::Loading);
        QVERIFY(!desk.body<report::InspectRequest>().structureOnly);
        QVERIFY(desk.body<report::InspectRequest>().inputs.empty());
        desk.controller.look(RunController::Look::Profiling);
        QCOMPARE(desk.body<report::InspectRequest>().inputs.size(), std::size_t(1));
        QCOMPARE(desk.body<report::InspectRequest>().model, std::string("/models/decoder.pt"));
    }

    void whatTheEngineFoundIsTheDocumentsModel()
    {
        Desk desk;
        desk.controller.look(RunController::Look::Loading);
        QVERIFY(desk.controller.isLooking());
        QCOMPARE(desk.client.doing(), QString("loading decoder.pt"));
        report::Inspection found;
        found.fileKind = "TorchScript model";
        desk.engine.answer(desk.asked(), found);
        QVERIFY(!desk.controller.isLooking());
        QVERIFY(desk.document.model());
        QCOMPARE(desk.document.model()->fileKind, std::string("TorchScript model"));
    }

    void theLastLookCounts()
    {
        Desk desk;
        desk.controller.look(RunController::Look::Reading);
        const std::int64_t first = desk.asked();
        desk.controller.look(RunController::Look::Loading);
        const std::int64_t second = desk.asked();
        QCOMPARE(desk.engine.requests.at(desk.engine.requests.size() - 2).method, std::string("cancel"));
        report::Inspection late;
        late.path = "late";
        desk.engine.answer(first, late);
        QVERIFY(!desk.document.model());
        QVERIFY(desk.controller.isLooking());
        desk.engine.answer(second, report::Inspection{});
        QVERIFY(desk.document.model());
    }

    void runsAreKeptInOrder()
    {
        Desk desk;
        QSignalSpy finished(&desk.controller, &RunController::finished);
        for (const double makespan : {1.0, 2.0}) {
            desk.controller.run();
            QVERIFY(desk.controller.isRunning());
            report::RunReport report;
            report.stats.makespanSeconds = makespan;
            desk.engine.answer(desk.asked(), report);
        }
        QCOMPARE(finished.size(), 2);
        QCOMPARE(desk.controller.runs().size(), std::size_t(2));
        QCOMPARE(desk.controller.runs()[1]->stats.makespanSeconds, 2.0);
    }

    void oneRunAtATime()
    {
        Desk desk;
        desk.controller.run();
        const std::size_t asked = desk.engine.requests.size();
        desk.controller.run();
        QCOMPARE(desk.engine.requests.size(), asked);
    }

    void aFailureIsKeptAndChangesNothingElse()
    {
        Desk desk;
        desk.controller.look(RunController::Look::Loading);
        desk.engine.answer(desk.asked(), report::Inspection{});
        const auto model = desk.document.model();
        QSignalSpy failed(&desk.controller, &RunController::failed);
        desk.controller.run();
        Q_EMIT desk.engine.link->ended("it was ended by signal 11");
        QCOMPARE(failed.size(), 1);
        QVERIFY(!desk.controller.isRunning());
        QVERIFY(desk.controller.lastError().has_value());
        QCOMPARE(desk.controller.lastError()->message,
                 std::string("The engine is gone while running decoder.pt: it was ended by signal 11."));
        QVERIFY(desk.document.model() == model);
    }

    void cancellingAsksTheEngineForBoth()
    {
        Desk desk;
        desk.controller.look(RunController::Look::Loading);
        desk.controller.run();
        desk.controller.cancel();
        QCOMPARE(desk.engine.requests.size(), std::size_t(5));
        QCOMPARE(desk.engine.requests[3].method, std::string("cancel"));
        QCOMPARE(desk.engine.requests[4].method, std::string("cancel"));
    }

    void anotherDocumentForgetsTheRuns()
    {
        Desk desk;
        desk.controller.run();
        desk.engine.answer(desk.asked(), report::RunReport{});
        desk.document.newFor("other.pt");
        QVERIFY(desk.controller.runs().empty());
    }
};

QTEST_GUILESS_MAIN(TestRunController)
#include "tst_run_controller.moc"

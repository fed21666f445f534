#include "session/run_controller.h"
#include "support/qt_warnings.h"
#include "support/session_desk.h"
#include "support/test_program.h"
#include "support/trace_builder.h"

#include <QSignalSpy>
#include <QTest>
#include <map>
#include <utility>

using namespace pipescope;
using namespace pipescope::session;

namespace {

struct RunControllerDesk : tests::SessionDesk
{
    RunControllerDesk() { begin("/models/decoder.pt"); }
    /// A computation of 10 ns on rank 0, as the next part of the run.
    void tell(int run, std::int64_t beginNs)
    {
        const trace::Trace trace = tests::TraceBuilder(1, 1, 1).compute(0, 0, 0, beginNs, beginNs + 10).build();
        engine.tell(asked(), {run, told[{asked(), run}]++, trace});
    }
    /// What was told of this run was so many parts.
    void answer(int run, int parts) const
    {
        report::RunReport report;
        report.traced = {run, parts, parts, 0};
        engine.answer(asked(), report);
    }
    std::map<std::pair<std::int64_t, int>, int> told; ///< parts, by request and run
    /// When the events of the live trace begin.
    [[nodiscard]] std::vector<std::int64_t> liveBegins()
    {
        std::vector<std::int64_t> begins;
        for (const trace::Event &event : controller.live()->events)
            begins.push_back(event.beginNs);
        return begins;
    }
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
    void init() { pipescope::tests::failOnWarnings(); }

    void aModelIsReadLoadedOrProfiledAsAsked()
    {
        RunControllerDesk desk;
        desk.document.edit("Input", [](plan::Plan &plan) { plan.inputs = {*plan::parseInputSpec("float32[2]")}; });
        desk.controller.look(RunController::Look::Reading);
        QVERIFY(desk.body<report::InspectRequest>().structureOnly);
        desk.controller.look(RunController::Look::Loading);
        QVERIFY(!desk.body<report::InspectRequest>().structureOnly);
        QVERIFY(desk.body<report::InspectRequest>().inputs.empty());
        desk.controller.look(RunController::Look::Profiling);
        QCOMPARE(desk.body<report::InspectRequest>().inputs.size(), std::size_t(1));
        QCOMPARE(desk.body<report::InspectRequest>().model, std::string("/models/decoder.pt"));
        QCOMPARE(desk.engine.requests.back().method, std::string("profile"));
    }

    void aProfileHasTheInputsSeedThreadsAndGradOfThePlan()
    {
        RunControllerDesk desk;
        desk.document.edit("All", [](plan::Plan &plan) {
            plan.inputs = {*plan::parseInputSpec("float32[2]")};
            plan.seed = 7;
            plan.threadsPerRank = 3;
            plan.grad = true;
        });
        desk.controller.profile();
        QCOMPARE(desk.engine.requests.back().method, std::string("profile"));
        const auto request = desk.body<report::InspectRequest>();
        QCOMPARE(request.inputs, desk.document.plan().inputs);
        QCOMPARE(request.seed, std::uint64_t(7));
        QCOMPARE(request.threads, 3);
        QVERIFY(request.grad);
        QVERIFY(desk.controller.isLooking());
        report::Inspection found;
        found.profiled = true;
        desk.engine.answer(desk.asked(), found);
        QVERIFY(desk.document.model()->profiled);
    }

    void whatTheEngineFoundIsTheDocumentsModel()
    {
        RunControllerDesk desk;
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
        RunControllerDesk desk;
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
        RunControllerDesk desk;
        QSignalSpy finished(&desk.controller, &RunController::finished);
        for (const double makespan : {1.0, 2.0}) {
            desk.controller.run();
            QVERIFY(desk.controller.isRunning());
            report::TracedRun report;
            report.stats.makespanSeconds = makespan;
            desk.engine.answer(desk.asked(), report);
        }
        QCOMPARE(finished.size(), 2);
        QCOMPARE(desk.controller.runs().size(), std::size_t(2));
        QCOMPARE(desk.controller.runs()[1]->stats.makespanSeconds, 2.0);
        const RunId first = desk.controller.idOf(desk.controller.runs()[0].get());
        const RunId second = desk.controller.idOf(desk.controller.runs()[1].get());
        QVERIFY(first.valid() && second.valid() && first != second);
        QCOMPARE(desk.controller.begun().id, second); // by which the run under way was selected
        QCOMPARE(desk.controller.runOf(first), desk.controller.runs()[0]);
        QVERIFY(!desk.controller.runOf(desk.controller.newId()));
        QVERIFY(!desk.controller.idOf(nullptr).valid());
    }

    void aRunIsMadeAsTheSettingsSay()
    {
        RunControllerDesk desk;
        QSignalSpy changed(&desk.controller, &RunController::settingsChanged);
        desk.controller.setSettings({.warmUps = 2, .repeat = 5, .check = false});
        desk.controller.setSettings({.warmUps = 2, .repeat = 5, .check = false});
        QCOMPARE(changed.size(), 1);
        desk.controller.run();
        const auto request = desk.body<report::RunRequest>();
        QCOMPARE(request.warmUps, 2);
        QCOMPARE(request.repeat, 5);
        QVERIFY(!request.check);
    }

    void aCheckIsOneComparedRunWhateverTheSettings()
    {
        RunControllerDesk desk;
        desk.controller.setSettings({.warmUps = 2, .repeat = 5, .check = false});
        desk.controller.check();
        QVERIFY(desk.controller.isRunning());
        QCOMPARE(desk.client.doing(), QString("checking decoder.pt"));
        QCOMPARE(desk.engine.requests.back().method, std::string("check"));
        const auto request = desk.body<report::RunRequest>();
        QCOMPARE(request.plan.model, std::string("/models/decoder.pt"));
        QCOMPARE(request.warmUps, 0);
        QCOMPARE(request.repeat, 1);
        QVERIFY(request.check);
        report::TracedRun report;
        report.equivalence.emplace();
        QVERIFY(!desk.controller.wasCheck());
        desk.engine.answer(desk.asked(), report);
        QCOMPARE(desk.controller.runs().size(), std::size_t(1));
        QVERIFY(desk.controller.wasCheck());
        desk.controller.run();
        QVERIFY(desk.controller.wasCheck()); // until that run is there
        desk.engine.answer(desk.asked(), report::TracedRun());
        QVERIFY(!desk.controller.wasCheck());
    }

    void theLiveTraceGrowsByTime()
    {
        RunControllerDesk desk;
        QSignalSpy changed(&desk.controller, &RunController::liveChanged);
        QVERIFY(!desk.controller.live());
        desk.controller.run();
        desk.tell(0, 100);
        desk.tell(0, 300);
        QTRY_COMPARE(changed.size(), 1); // both at once
        QCOMPARE(desk.liveBegins(), (std::vector<std::int64_t>{100, 300}));
        const auto before = desk.controller.live();
        QVERIFY(desk.controller.live() == before);
        desk.tell(0, 200); // of a rank that was slower to tell
        QTRY_COMPARE(changed.size(), 2);
        QCOMPARE(desk.liveBegins(), (std::vector<std::int64_t>{100, 200, 300}));
        QCOMPARE(before->events.size(), std::size_t(2));
        QCOMPARE(desk.controller.live()->title, std::string("test"));
        QCOMPARE(desk.controller.live()->rankNames.size(), std::size_t(1));
    }

    void theNextMeasuredRunBeginsAfresh()
    {
        RunControllerDesk desk;
        desk.controller.run();
        desk.tell(0, 100);
        desk.tell(1, 50);
        desk.tell(0, 200); // too late
        QCOMPARE(desk.liveBegins(), (std::vector<std::int64_t>{50}));
    }

    void aRunHasTheTraceThatWasToldWhileItRan()
    {
        RunControllerDesk desk;
        desk.controller.run();
        for (const std::int64_t begin : {100, 300, 200})
            desk.tell(0, begin);
        desk.tell(1, 500); // another measured run, which is not the one reported
        desk.engine.tell(desk.asked(), {0, 0, tests::evenForward(2, 3, 10)}); // so that one is told again
        report::RunReport report;
        report.traced = {0, 1, 6, 0};
        desk.engine.answer(desk.asked(), report);
        QCOMPARE(desk.controller.runs().size(), std::size_t(1));
        QVERIFY(desk.controller.runs()[0]->trace == tests::evenForward(2, 3, 10));
        desk.controller.run();
        for (const std::int64_t begin : {100, 300, 200})
            desk.tell(0, begin);
        desk.answer(0, 3);
        std::vector<std::int64_t> begins;
        for (const trace::Event &event : desk.controller.runs().at(1)->trace.events)
            begins.push_back(event.beginNs);
        QCOMPARE(begins, (std::vector<std::int64_t>{100, 200, 300}));
    }

    void aRunWhoseTraceIsNotWholeFailsInWords()
    {
        RunControllerDesk desk;
        const QSignalSpy failed(&desk.controller, &RunController::failed);
        desk.controller.run();
        desk.tell(0, 100);
        desk.answer(0, 2);
        QCOMPARE(failed.size(), 1);
        QVERIFY(desk.controller.runs().empty());
        QCOMPARE(desk.controller.lastError()->message,
                 std::string("the run has ended, but its trace has not arrived whole: there were 2 parts, but 1 came; "
                             "run it again"));
        desk.controller.run();
        desk.tell(0, 100);
        desk.tell(1, 100);
        desk.tell(0, 200);
        desk.answer(1, 1);
        QCOMPARE(desk.controller.lastError()->message,
                 std::string("the run has ended, but its trace has not arrived whole: a part of run 0 came amid those "
                             "of run 1; run it again"));
        desk.controller.run();
        desk.engine.say(protocol::Notification{desk.asked(), "trace", "\x01"});
        desk.answer(0, 1);
        QCOMPARE(desk.controller.lastError()->message,
                 std::string("the run has ended, but its trace has not arrived whole: a part cannot be read: body: "
                             "expected an object, found number; run it again"));
        QVERIFY(!desk.controller.live());
        desk.controller.run();
        desk.tell(0, 100);
        desk.answer(0, 1);
        QVERIFY(!desk.controller.lastError());
        QCOMPARE(desk.controller.runs().size(), std::size_t(1));
    }

    /// Its statistics would be shown beside bars that they are not of.
    void aRunWhoseTraceIsAnotherOneFailsInWords()
    {
        RunControllerDesk desk;
        desk.controller.run();
        desk.tell(0, 100);
        report::RunReport report;
        report.traced = {0, 1, 1, 0};
        report.stats.ranks.resize(3);
        desk.engine.answer(desk.asked(), report);
        QVERIFY(desk.controller.runs().empty());
        QCOMPARE(desk.controller.lastError()->message,
                 std::string("a report does not hold together: statistics of 3 ranks for a trace of 1"));
    }

    void theLastEventsBeforeAFailureAreTold()
    {
        RunControllerDesk desk;
        desk.controller.run();
        desk.tell(0, 100);
        std::vector<std::size_t> events;
        connect(&desk.controller, &RunController::liveChanged, this, [&] {
            const auto live = desk.controller.live();
            events.push_back(live ? live->events.size() : 0);
        });
        desk.engine.say(protocol::Response{desk.asked(), Error{ErrorCode::ModelFailed, "it broke", {}, {}}});
        QCOMPARE(events, (std::vector<std::size_t>{1, 0}));
    }

    void theLiveTraceGoesOnceTheRunIsThere()
    {
        RunControllerDesk desk;
        desk.controller.run();
        desk.tell(0, 100);
        bool runFirst = false;
        connect(&desk.controller, &RunController::liveChanged, this,
                [&] { runFirst = !desk.controller.live() && desk.controller.runs().size() == 1; });
        desk.answer(0, 1);
        QVERIFY(runFirst);
        desk.controller.run();
        QVERIFY(!desk.controller.live());
        desk.tell(0, 100);
        QVERIFY(desk.controller.live());
        Q_EMIT desk.engine.link->ended("it was ended by signal 9");
        QVERIFY(!desk.controller.live());
    }

    void whatIsToldOfOtherRequestsOrCannotBeReadIsNoTrace()
    {
        RunControllerDesk desk;
        desk.controller.look(RunController::Look::Loading);
        desk.tell(0, 100);
        QVERIFY(!desk.controller.live());
        desk.controller.run();
        desk.engine.say(protocol::Notification{desk.asked(), "trace", "\x01"});
        QVERIFY(!desk.controller.live());
        QCOMPARE(desk.client.state(), EngineClient::State::Ready);
    }

    void oneRunAtATime()
    {
        RunControllerDesk desk;
        desk.controller.run();
        const std::size_t asked = desk.engine.requests.size();
        desk.controller.run();
        QCOMPARE(desk.engine.requests.size(), asked);
    }

    void aFailureIsKeptAndChangesNothingElse()
    {
        RunControllerDesk desk;
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
        RunControllerDesk desk;
        desk.controller.look(RunController::Look::Loading);
        desk.controller.run();
        desk.controller.cancel();
        QCOMPARE(desk.engine.requests.size(), std::size_t(5));
        QCOMPARE(desk.engine.requests[3].method, std::string("cancel"));
        QCOMPARE(desk.engine.requests[4].method, std::string("cancel"));
    }

    void anotherDocumentForgetsTheRuns()
    {
        RunControllerDesk desk;
        desk.controller.run();
        desk.engine.answer(desk.asked(), report::TracedRun{});
        desk.document.newFor("other.pt");
        QVERIFY(desk.controller.runs().empty());
    }

    /// An engine may have answered before it hears that nobody wants it any more.
    void whatArrivesForADocumentThatIsGoneIsNobodys()
    {
        RunControllerDesk desk;
        desk.controller.look(RunController::Look::Loading);
        const std::int64_t looking = desk.asked();
        desk.controller.run();
        const std::int64_t running = desk.asked();
        desk.tell(0, 5);
        const QSignalSpy finished(&desk.controller, &RunController::finished);
        const QSignalSpy failed(&desk.controller, &RunController::failed);
        desk.document.newFor("other.pt");
        QVERIFY(!desk.controller.isLooking());
        QVERIFY(!desk.controller.isRunning());
        QVERIFY(!desk.controller.live());
        desk.engine.answer(looking, report::Inspection{});
        desk.engine.answer(running, report::TracedRun{});
        QVERIFY(!desk.document.model());
        QVERIFY(desk.controller.runs().empty());
        QCOMPARE(finished.size() + failed.size(), 0);
        desk.controller.run(); // nothing of the other is in its way
        QVERIFY(desk.controller.isRunning());
    }

    void aProfileOfInputsThatWereEditedMeanwhileIsMadeAgain()
    {
        RunControllerDesk desk;
        const auto setInput = [&desk](const char *input) {
            desk.document.edit("Input", [input](plan::Plan &plan) {
                plan.inputs.clear();
                if (*input != 0)
                    plan.inputs = {*plan::parseInputSpec(input)};
            });
        };
        setInput("float32[2]");
        desk.controller.profile();
        setInput("float32[4]");
        report::Inspection found;
        found.profiled = true;
        desk.engine.answer(desk.asked(), found);
        QVERIFY(!desk.document.model());
        QVERIFY(desk.controller.isLooking());
        QCOMPARE(desk.engine.requests.back().method, std::string("profile"));
        QCOMPARE(desk.body<report::InspectRequest>().inputs, desk.document.plan().inputs);
        setInput("");
        desk.engine.answer(desk.asked(), found);
        QCOMPARE(desk.engine.requests.back().method, std::string("load")); // there is nothing left to profile with
        desk.engine.answer(desk.asked(), report::Inspection{});
        QVERIFY(desk.document.model() && !desk.document.model()->profiled);
        QVERIFY(!desk.controller.isLooking());
    }

    void anotherMethodIsAnotherGraph()
    {
        RunControllerDesk desk;
        desk.controller.look(RunController::Look::Loading);
        desk.engine.answer(desk.asked(), report::Inspection{});
        const std::size_t before = desk.engine.requests.size();
        desk.document.edit("Seed", [](plan::Plan &plan) { plan.seed = 3; });
        QCOMPARE(desk.engine.requests.size(), before);
        desk.document.edit("Method", [](plan::Plan &plan) { plan.method = "encode"; });
        QCOMPARE(desk.engine.requests.size(), before + 1);
        QCOMPARE(desk.body<report::InspectRequest>().method, std::string("encode"));
        desk.document.undoStack().undo(); // while it is looking
        desk.engine.answer(desk.asked(), report::Inspection{});
        QCOMPARE(desk.engine.requests.size(), before + 2);
        QCOMPARE(desk.body<report::InspectRequest>().method, std::string("forward"));
        desk.engine.answer(desk.asked(), report::Inspection{});
        QVERIFY(!desk.controller.isLooking());
    }

    void aModelForOtherValuesIsAnotherGraph()
    {
        RunControllerDesk desk;
        desk.controller.look(RunController::Look::Loading);
        desk.engine.answer(desk.asked(), report::Inspection{});
        const std::size_t before = desk.engine.requests.size();
        const auto specialise = [&](const char *text) {
            desk.document.edit("Specialise",
                               [&](plan::Plan &plan) { plan.specialised = {*plan::parseInputSpec(text)}; });
        };
        specialise("rate=16000");
        QCOMPARE(desk.engine.requests.size(), before + 1);
        QCOMPARE(desk.body<report::InspectRequest>().specialised, desk.document.plan().specialised);
        desk.engine.answer(desk.asked(), report::Inspection{});
        specialise("gain=nan"); // which is not equal to itself
        QCOMPARE(desk.engine.requests.size(), before + 2);
        desk.engine.answer(desk.asked(), report::Inspection{});
        QCOMPARE(desk.engine.requests.size(), before + 2);
        QVERIFY(!desk.controller.isLooking());
    }
};

PIPESCOPE_TEST(TestRunController)
#include "tst_run_controller.moc"

#include "engine/serve/server.h"

#include "core/engine/layer_watch.h"
#include "core/engine/serve/served_engine.h"
#include "engine/run_job.h"
#include "trace/trace_stats.h"

#include "support/test_program.h"

#include <QTest>
#include <algorithm>
#include <atomic>
#include <chrono>
#include <tuple>
#include <variant>
#include <vector>

using namespace pipescope;
using namespace pipescope::tests;
using protocol::HelloCall;
using protocol::LoadCall;
using protocol::RunCall;

namespace {

constexpr int LayersOfAChain = 3; ///< of ServedModel

} // namespace

/// An engine tells of a run while it runs, and of its memory.
class TestToldMeanwhile : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    /// All that is told of a run while it runs is its trace, and nothing is told afterwards.
    void aRunIsTracedWhileItRuns()
    {
        ServedEngine engine;
        QVERIFY(engine.greet());
        report::RunRequest request = m_model.shortRun();
        request.check = false;
        request.warmUps = 3;
        engine.talk->ask<RunCall>(2, request);
        const auto report = engine.talk->run(2);
        QVERIFY2(report, messageOf(report).c_str());
        std::vector<trace::Event> told;
        for (const protocol::Notification &notification : engine.talk->notifications) {
            QCOMPARE(notification.id, 2);
            if (notification.event != protocol::TraceEvent)
                continue;
            const auto part = protocol::fromBody<trace::TracePart>(notification.body);
            QVERIFY2(part, messageOf(part).c_str());
            QCOMPARE(part->run, 0);
            QCOMPARE(part->trace.title, std::string("Chain, forwards of gpipe"));
            QCOMPARE(part->trace.rankNames, report->trace.rankNames);
            QCOMPARE(part->trace.stages, 2);
            QCOMPARE(part->trace.microbatches, 3);
            told.insert(told.end(), part->trace.events.begin(), part->trace.events.end());
        }
        std::stable_sort(told.begin(), told.end(), [](const trace::Event &a, const trace::Event &b) {
            return std::tuple(a.beginNs, a.rank, a.endNs) < std::tuple(b.beginNs, b.rank, b.endNs);
        });
        QVERIFY(told == report->trace.events);
        QCOMPARE(told.size(), static_cast<std::size_t>(report->traced.events));
        QVERIFY(told.size() >= 2 * 3);
        QCOMPARE(engine.talk->notifications.back().event, std::string(protocol::MemoryEvent));
        engine.hangUp();
        QVERIFY(!engine.talk->next()); // nothing after the answer
    }

    /// Whichever of them was told last while they ran.
    void ofSeveralRunsTheReportedOneIsToldWhole()
    {
        ServedEngine engine;
        QVERIFY(engine.greet());
        report::RunRequest request = m_model.shortRun();
        request.check = false;
        request.repeat = 7;
        for (int id = 2; id < 12; ++id) {
            engine.talk->notifications.clear();
            engine.talk->ask<RunCall>(id, request);
            const auto run = engine.talk->run(id);
            QVERIFY2(run, messageOf(run).c_str());
            std::vector<double> makespans = run->makespans;
            std::sort(makespans.begin(), makespans.end());
            QCOMPARE(run->makespans.at(static_cast<std::size_t>(run->traced.run)), makespans[3]);
            QCOMPARE(trace::traceStats(run->trace).makespanSeconds, makespans[3]);
            QVERIFY(run->stats == trace::traceStats(run->trace));
        }
    }

    /// A trace as long as the run, through messages that are not.
    void aRunWhoseTraceIsLargerThanAMessageMayBeEndsWithItsResult()
    {
        constexpr std::uint32_t limit = 32 << 10;
        ServedEngine engine(std::chrono::minutes(1), limit);
        QVERIFY(engine.greet());
        report::RunRequest request = m_model.shortRun();
        request.plan.microbatches = 1000;
        request.plan.inputs = {*plan::parseInputSpec("x=float32[1000,8]")};
        request.check = false;
        request.warmUps = 0;
        request.repeat = 3;
        engine.talk->ask<RunCall>(2, request);
        const auto run = engine.talk->run(2);
        QVERIFY2(run, messageOf(run).c_str());
        QVERIFY(run->trace.events.size() >= 2000);
        QVERIFY(protocol::toBody(trace::TracePart{0, 0, run->trace}).size() > 3 * limit);
        QVERIFY(run->traced.parts > 3);
    }

    /// No microbatch begins before the one before it was told.
    void aRunIsToldWhileItGoesOn()
    {
        ServedEngine engine;
        QVERIFY(engine.greet());
        report::RunRequest request = m_model.shortRun();
        request.plan.splits.clear();
        request.plan.microbatches = 6;
        request.check = false;
        request.warmUps = 0;
        std::atomic<int> told = 0;
        LayerWatch layers([&told](int before) { return told >= before / LayersOfAChain; });
        engine.talk->ask<RunCall>(2, request);
        while (told < 6) {
            const auto message = engine.talk->next();
            const auto *note = message ? std::get_if<protocol::Notification>(&*message) : nullptr;
            QVERIFY2(note, "the run ended, or stands still, before its microbatches were told");
            if (note->event != protocol::TraceEvent)
                continue;
            const auto part = protocol::fromBody<trace::TracePart>(note->body);
            QVERIFY2(part, messageOf(part).c_str());
            for (const trace::Event &event : part->trace.events)
                told += event.kind == trace::EventKind::Compute ? 1 : 0;
            layers.askAgain();
        }
        QVERIFY(engine.talk->answer<RunCall>(2));
        QCOMPARE(layers.count(), 6 * LayersOfAChain);
    }

    void aSlowListenerGetsTheRestInOnePart()
    {
        report::RunRequest request = m_model.shortRun();
        request.plan.microbatches = 600;
        request.plan.inputs = {*plan::parseInputSpec("x=float32[600,8]")};
        request.check = false;
        request.warmUps = 0;
        std::atomic<bool> isTold = false; // of the first microbatch; the others wait for it
        LayerWatch layers([&isTold](int before) { return isTold || before < LayersOfAChain; });
        engine::JobContext context;
        context.partBytes = std::size_t{1} << 30;
        std::vector<std::ptrdiff_t> computes; // by part
        bool haveAllBegun = false;
        context.traced = [&](const trace::TracePart &part) {
            if (computes.empty()) {
                isTold = true;
                layers.askAgain();
                haveAllBegun = layers.waitFor(600 * LayersOfAChain);
            }
            computes.push_back(std::count_if(part.trace.events.begin(), part.trace.events.end(), [](const auto &event) {
                return event.kind == trace::EventKind::Compute;
            }));
        };
        const auto report = engine::run(request, context);
        QVERIFY2(report, messageOf(report).c_str());
        QVERIFY(haveAllBegun);
        QVERIFY(computes.size() >= 2);
        QVERIFY(computes[0] + computes[1] >= 2 * 600 - 2); // a rank each may be within its last one
    }

    void theEnginesMemoryIsTold()
    {
        ServedEngine engine;
        engine.talk->ask<HelloCall>(1, {});
        const auto welcome = engine.talk->answer<HelloCall>(1);
        QVERIFY(welcome && welcome->residentBytes > 1 << 20);
        QVERIFY(welcome->left.bytes > 0 && !welcome->left.source.empty());
        report::InspectRequest load;
        load.model = m_model.path;
        engine.talk->ask<LoadCall>(2, load);
        QVERIFY(engine.talk->answer<LoadCall>(2));
        const protocol::Notification &last = engine.talk->notifications.back();
        QCOMPARE(last.event, std::string(protocol::MemoryEvent));
        const auto note = protocol::fromBody<protocol::MemoryNote>(last.body);
        QVERIFY(note && note->residentBytes > 1 << 20);
        QVERIFY(note->left.bytes > 0);
        QVERIFY(note->left.source.starts_with('/'));
    }

    /// The pipe fills up while nobody reads, and the ranks go on to their end.
    void aWindowThatDoesNotReadHoldsNoRankUp()
    {
        ServedEngine engine;
        QVERIFY(engine.greet());
        report::RunRequest request = m_model.shortRun();
        request.plan.microbatches = 20000;
        request.plan.inputs = {*plan::parseInputSpec("x=float32[20000,8]")};
        request.check = false;
        request.warmUps = 0;
        LayerWatch layers;
        engine.talk->ask<RunCall>(2, request);
        QVERIFY2(layers.waitFor(20000 * LayersOfAChain), qPrintable(QString("%1 layers ran").arg(layers.count())));
        const auto report = engine.talk->run(2);
        QVERIFY2(report, messageOf(report).c_str());
        QVERIFY(report->trace.events.size() > 40'000); // far more than a pipe holds
    }

private:
    ServedModel m_model;
};

PIPESCOPE_TEST(TestToldMeanwhile)
#include "tst_told_meanwhile.moc"

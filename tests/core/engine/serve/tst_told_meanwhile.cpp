#include "engine/serve/server.h"

#include "core/engine/serve/served_engine.h"
#include "trace/trace_stats.h"

#include "support/test_program.h"

#include <QTest>
#include <algorithm>
#include <chrono>
#include <set>
#include <tuple>

using namespace pipescope;
using namespace pipescope::tests;
using protocol::HelloCall;
using protocol::LoadCall;
using protocol::RunCall;

/// What an engine tells of a run while it runs, and how often; of its memory, too.
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

    void manyShortRunsAreNotAllTold()
    {
        ServedEngine engine;
        QVERIFY(engine.greet());
        report::RunRequest request = m_model.shortRun();
        request.check = false;
        request.repeat = 300;
        const auto begin = std::chrono::steady_clock::now();
        engine.talk->ask<RunCall>(2, request);
        QVERIFY(engine.talk->answer<RunCall>(2));
        const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begin;
        const auto notes =
            std::count_if(engine.talk->notifications.begin(), engine.talk->notifications.end(),
                          [](const protocol::Notification &told) { return told.event == protocol::TraceEvent; });
        QVERIFY2(notes >= 1 && static_cast<double>(notes) < 2 + 62 * taken.count(),
                 qPrintable(QString("%1 in %2 s").arg(notes).arg(taken.count())));
    }

    /// About 30 times a second; a third of that is asked for, of the run's own time, so that a busy machine passes too.
    void aLongerRunIsToldAllTheTime()
    {
        ServedEngine engine;
        QVERIFY(engine.greet());
        report::RunRequest request = m_model.shortRun();
        request.plan.model = save(chain(4, 256), m_model.folder.filePath("wide.pt").toStdString());
        request.plan.inputs = {*plan::parseInputSpec("x=float32[65536,256]")};
        request.plan.splits = {"block2"};
        request.plan.microbatches = 512; // some milliseconds each: something ends all the time
        request.check = false;
        request.warmUps = 0;
        request.repeat = 1;
        engine.talk->ask<RunCall>(2, request);
        const auto report = engine.talk->run(2);
        QVERIFY2(report, messageOf(report).c_str());
        const auto notes =
            std::count_if(engine.talk->notifications.begin(), engine.talk->notifications.end(),
                          [](const protocol::Notification &told) { return told.event == protocol::TraceEvent; });
        const double seconds = report->stats.makespanSeconds;
        std::set<std::int64_t> tenths; // of a second, in which something ended that could be told of
        for (const trace::Event &event : report->trace.events)
            tenths.insert(event.endNs / 100'000'000);
        QVERIFY2(notes >= static_cast<std::ptrdiff_t>(tenths.size()),
                 qPrintable(QString("%1 in %2 s, with %3 tenths in which something ended")
                                .arg(notes)
                                .arg(seconds)
                                .arg(tenths.size())));
        QVERIFY2(static_cast<double>(notes) <= 3 + 40 * seconds,
                 qPrintable(QString("%1 in %2 s").arg(notes).arg(seconds)));
    }

    void theEnginesMemoryIsTold()
    {
        ServedEngine engine;
        engine.talk->ask<HelloCall>(1, {});
        const auto welcome = engine.talk->answer<HelloCall>(1);
        QVERIFY(welcome && welcome->residentBytes > 1 << 20);
        report::InspectRequest load;
        load.model = m_model.path;
        engine.talk->ask<LoadCall>(2, load);
        QVERIFY(engine.talk->answer<LoadCall>(2));
        const protocol::Notification &last = engine.talk->notifications.back();
        QCOMPARE(last.event, std::string(protocol::MemoryEvent));
        const auto note = protocol::fromBody<protocol::MemoryNote>(last.body);
        QVERIFY(note && note->residentBytes > 1 << 20);
    }

    /// The pipe fills up while nobody reads, and the ranks go on: they stand still for none of the time. How long the
    /// run takes is not asked, for that is the machine's.
    void aWindowThatDoesNotReadHoldsNoRankUp()
    {
        ServedEngine engine;
        QVERIFY(engine.greet());
        report::RunRequest request = m_model.shortRun();
        request.plan.microbatches = 20000;
        request.plan.inputs = {*plan::parseInputSpec("x=float32[20000,8]")};
        request.check = false;
        request.warmUps = 0;
        request.repeat = 1;
        engine.talk->ask<RunCall>(2, request);
        QTest::qWait(3000);
        const auto report = engine.talk->run(2);
        QVERIFY2(report, messageOf(report).c_str());
        std::vector<trace::Event> events = report->trace.events;
        QVERIFY(events.size() > 40'000); // far more than a pipe holds
        std::sort(events.begin(), events.end(),
                  [](const trace::Event &a, const trace::Event &b) { return a.endNs < b.endNs; });
        std::int64_t longest = 0;
        for (std::size_t i = 1; i < events.size(); ++i)
            longest = std::max(longest, events[i].endNs - events[i - 1].endNs);
        QVERIFY2(longest < 2'000'000'000, qPrintable(QString("nothing ended for %1 ns").arg(longest)));
    }

private:
    ServedModel m_model;
};

PIPESCOPE_TEST(TestToldMeanwhile)
#include "tst_told_meanwhile.moc"

#include "engine/serve/server.h"

#include "base/commit.h"
#include "core/engine/small_models.h"
#include "graph/check_references.h"
#include "support/engine_talk.h"
#include "support/real_model.h"

#include <QTemporaryDir>
#include <QtTest>
#include <algorithm>
#include <atomic>
#include <chrono>
#include <fcntl.h>
#include <optional>
#include <set>
#include <thread>
#include <tuple>

using namespace pipescope;
using namespace pipescope::tests;
using protocol::CancelCall;
using protocol::CheckCall;
using protocol::HelloCall;
using protocol::LoadCall;
using protocol::ProfileCall;
using protocol::RunCall;
using protocol::SplitCall;
using protocol::StatisticsCall;
using testing::EngineTalk;

namespace {

/// An engine on a thread of its own, and the window's end of the conversation with it.
class Conversation
{
public:
    explicit Conversation(std::chrono::milliseconds patience = std::chrono::minutes(1))
    {
        if (::pipe2(m_toEngine, O_CLOEXEC) != 0 || ::pipe2(m_fromEngine, O_CLOEXEC) != 0)
            qFatal("no pipes");
        m_thread = std::thread([this, patience] {
            ended = engine::serve({m_toEngine[0], m_fromEngine[1], "test-engine", [this] { gaveUp = true; }, patience},
                                  stop.get_token());
            ::close(m_fromEngine[1]);
        });
        talk.emplace(m_toEngine[1], m_fromEngine[0]);
    }
    ~Conversation()
    {
        hangUp();
        m_thread.join();
        ::close(m_toEngine[0]);
        ::close(m_fromEngine[0]);
    }
    Conversation(const Conversation &) = delete;
    Conversation &operator=(const Conversation &) = delete;

    /// The greeting that comes before everything else.
    bool greet()
    {
        talk->ask<HelloCall>(1, {});
        return static_cast<bool>(talk->answer<HelloCall>(1));
    }

    void hangUp()
    {
        if (m_toEngine[1] >= 0)
            ::close(std::exchange(m_toEngine[1], -1));
    }

    void waitForEnd()
    {
        while (talk->next()) {
        }
    }

    std::optional<EngineTalk> talk;
    std::stop_source stop;
    Status ended = Success{};
    std::atomic<bool> gaveUp = false;

private:
    int m_toEngine[2] = {-1, -1};
    int m_fromEngine[2] = {-1, -1};
    std::thread m_thread;
};

template <class T>
std::string messageOf(const Result<T> &result)
{
    return result ? "no error" : result.error().message;
}

bool waitForEvent(Conversation &engine, std::string_view event)
{
    while (const auto message = engine.talk->next()) {
        const auto *told = std::get_if<protocol::Notification>(&*message);
        if (told != nullptr && told->event == event)
            return true;
    }
    return false;
}

} // namespace

class TestServer : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        QVERIFY(m_folder.isValid());
        m_model = save(chain(3, 8), m_folder.filePath("chain.pt").toStdString());
    }

    void theGreetingSaysWhoAnswers()
    {
        Conversation engine;
        engine.talk->ask<HelloCall>(1, {protocol::Version, "test"});
        const auto welcome = engine.talk->answer<HelloCall>(1);
        QVERIFY2(welcome, messageOf(welcome).c_str());
        QCOMPARE(welcome->engine, std::string("test-engine"));
        QVERIFY(welcome->torch.starts_with("2."));
        QVERIFY(welcome->cores > 0);
    }

    void anotherVersionIsRefusedInWords()
    {
        Conversation engine;
        engine.talk->ask<HelloCall>(1, {99, "pipescope 9.0"});
        const auto welcome = engine.talk->answer<HelloCall>(1);
        QCOMPARE(messageOf(welcome), std::string("this engine (test-engine) speaks version 1 of the protocol, and "
                                                 "pipescope 9.0 version 99; use both of one release"));
        engine.talk->ask<LoadCall>(2, {});
        QCOMPARE(messageOf(engine.talk->answer<LoadCall>(2)),
                 std::string("the first request must be 'hello', which names the version"));
    }

    void aModelIsLoadedProfiledRunAndSplit()
    {
        Conversation engine;
        QVERIFY(engine.greet());
        report::InspectRequest load;
        load.model = m_model;
        load.inputs = {*plan::parseInputSpec("x=float32[6,8]")};
        engine.talk->ask<LoadCall>(2, load);
        const auto inspection = engine.talk->answer<LoadCall>(2);
        QVERIFY2(inspection, messageOf(inspection).c_str());
        QVERIFY(inspection->profiled);
        QCOMPARE(inspection->graph.modelClass, std::string("Chain"));

        protocol::SplitRequest request;
        request.run.plan.model = m_model;
        request.run.plan.inputs = load.inputs;
        request.run.plan.splits = {"block1"};
        request.run.plan.microbatches = 3;
        engine.talk->ask<RunCall>(3, request.run);
        const auto run = engine.talk->answer<RunCall>(3);
        QVERIFY2(run, messageOf(run).c_str());
        QVERIFY(run->equivalence && run->equivalence->overall.bitwise);
        QCOMPARE(run->stages.size(), std::size_t(2));
        QVERIFY(!run->trace.events.empty());
        const auto isProgress = [](const protocol::Notification &told) {
            return told.event == protocol::ProgressEvent && told.id == 3 &&
                   protocol::fromBody<protocol::ProgressNote>(told.body);
        };
        QVERIFY(std::any_of(engine.talk->notifications.begin(), engine.talk->notifications.end(), isProgress));

        request.folder = m_folder.filePath("stages").toStdString();
        engine.talk->ask<SplitCall>(4, request);
        const auto split = engine.talk->answer<SplitCall>(4);
        QVERIFY2(split, messageOf(split).c_str());
        QCOMPARE(split->files.size(), std::size_t(2));
        QVERIFY(std::filesystem::exists(request.folder + "/stage1.pt"));
    }

    void aProfileNeedsInputs()
    {
        Conversation engine;
        QVERIFY(engine.greet());
        report::InspectRequest request;
        request.model = m_model;
        engine.talk->ask<ProfileCall>(2, request);
        QCOMPARE(messageOf(engine.talk->answer<ProfileCall>(2)),
                 std::string("a profile is taken on inputs, and none are given; give the method's inputs, or load the "
                             "model without a profile"));
        request.inputs = {*plan::parseInputSpec("x=float32[6,8]")};
        engine.talk->ask<ProfileCall>(3, request);
        const auto profile = engine.talk->answer<ProfileCall>(3);
        QVERIFY2(profile, messageOf(profile).c_str());
        QVERIFY(profile->profiled);
    }

    void aCheckIsOneRunThatIsCompared()
    {
        Conversation engine;
        QVERIFY(engine.greet());
        report::RunRequest request = shortRun();
        request.check = false;
        request.repeat = 5;
        engine.talk->ask<CheckCall>(2, request);
        const auto report = engine.talk->answer<CheckCall>(2);
        QVERIFY2(report, messageOf(report).c_str());
        QVERIFY(report->equivalence && report->equivalence->overall.bitwise);
        QVERIFY(report->separability && report->separability->holds);
        QCOMPARE(report->makespans.size(), std::size_t(1));
        QVERIFY(!report->unsplitSeconds);
    }

    void theNumbersInsideATensorAreTold()
    {
        Conversation engine;
        QVERIFY(engine.greet());
        report::StatisticsRequest request;
        request.plan = shortRun().plan;
        request.parameter = "block1.weight";
        engine.talk->ask<StatisticsCall>(2, request);
        const auto report = engine.talk->answer<StatisticsCall>(2);
        QVERIFY2(report, messageOf(report).c_str());
        QCOMPARE(report->leaves.at(0).count, 64);
        request.parameter = "block9.weight";
        engine.talk->ask<StatisticsCall>(3, request);
        QCOMPARE(messageOf(engine.talk->answer<StatisticsCall>(3)),
                 std::string("the model holds no tensor 'block9.weight'"));
    }

    void aModelThatIsLookedIntoStaysLoaded()
    {
        Conversation engine;
        QVERIFY(engine.greet());
        report::StatisticsRequest request;
        request.plan = shortRun().plan;
        const auto loads = [&engine] {
            const auto isLoading = [](const protocol::Notification &told) {
                return told.event == protocol::ProgressEvent &&
                       protocol::fromBody<protocol::ProgressNote>(told.body)->step == "loading the model";
            };
            const auto &told = engine.talk->notifications;
            return std::count_if(told.begin(), told.end(), isLoading);
        };
        for (const std::int64_t id : {2, 3}) {
            request.parameter = id == 2 ? "block0.weight" : "block1.weight";
            engine.talk->ask<StatisticsCall>(id, request);
            const auto report = engine.talk->answer<StatisticsCall>(id);
            QVERIFY2(report, messageOf(report).c_str());
            QCOMPARE(loads(), std::ptrdiff_t(1));
        }
        engine.talk->ask<RunCall>(4, shortRun());
        QVERIFY(engine.talk->answer<RunCall>(4));
        engine.talk->ask<StatisticsCall>(5, request);
        QVERIFY(engine.talk->answer<StatisticsCall>(5));
        QCOMPARE(loads(), std::ptrdiff_t(3));
    }

    void aFileThatIsNotTheOneExpectedIsRefused()
    {
        Conversation engine;
        QVERIFY(engine.greet());
        report::RunRequest run = shortRun();
        run.expectedSha256 = std::string(64, '0');
        engine.talk->ask<RunCall>(2, run);
        const auto refused = engine.talk->answer<RunCall>(2);
        QVERIFY(!refused);
        QCOMPARE(refused.error().code, ErrorCode::InvalidFile);
        QCOMPARE(refused.error().where, run.plan.model);
        report::InspectRequest load;
        load.model = run.plan.model;
        load.structureOnly = true; // which runs nothing
        load.expectedSha256 = run.expectedSha256;
        engine.talk->ask<LoadCall>(3, load);
        const auto read = engine.talk->answer<LoadCall>(3);
        QVERIFY(read);
        load.structureOnly = false;
        load.expectedSha256 = read->sha256;
        engine.talk->ask<LoadCall>(4, load);
        QVERIFY(engine.talk->answer<LoadCall>(4));
        load.expectedSha256 = run.expectedSha256;
        engine.talk->ask<LoadCall>(5, load);
        QCOMPARE(messageOf(engine.talk->answer<LoadCall>(5)), refused.error().message);
    }

    /// All that is told of a run while it runs is its trace, and nothing is told afterwards.
    void aRunIsTracedWhileItRuns()
    {
        Conversation engine;
        QVERIFY(engine.greet());
        report::RunRequest request = shortRun();
        request.check = false;
        request.warmUps = 3;
        engine.talk->ask<RunCall>(2, request);
        const auto report = engine.talk->answer<RunCall>(2);
        QVERIFY2(report, messageOf(report).c_str());
        std::vector<trace::Event> told;
        for (const protocol::Notification &notification : engine.talk->notifications) {
            QCOMPARE(notification.id, 2);
            if (notification.event != protocol::TraceEvent)
                continue;
            const auto note = protocol::fromBody<protocol::TraceNote>(notification.body);
            QVERIFY2(note, messageOf(note).c_str());
            QCOMPARE(note->run, 0);
            QCOMPARE(note->part.rankNames, report->trace.rankNames);
            QCOMPARE(note->part.stages, 2);
            QCOMPARE(note->part.microbatches, 3);
            told.insert(told.end(), note->part.events.begin(), note->part.events.end());
        }
        std::stable_sort(told.begin(), told.end(), [](const trace::Event &a, const trace::Event &b) {
            return std::tuple(a.beginNs, a.rank, a.endNs) < std::tuple(b.beginNs, b.rank, b.endNs);
        });
        QVERIFY(told == report->trace.events);
        QCOMPARE(engine.talk->notifications.back().event, std::string(protocol::MemoryEvent));
        engine.hangUp();
        QVERIFY(!engine.talk->next()); // nothing after the answer
    }

    void manyShortRunsAreNotAllTold()
    {
        Conversation engine;
        QVERIFY(engine.greet());
        report::RunRequest request = shortRun();
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
        Conversation engine;
        QVERIFY(engine.greet());
        report::RunRequest request = shortRun();
        request.plan.model = save(chain(4, 256), m_folder.filePath("wide.pt").toStdString());
        request.plan.inputs = {*plan::parseInputSpec("x=float32[65536,256]")};
        request.plan.splits = {"block2"};
        request.plan.microbatches = 512; // some milliseconds each: something ends all the time
        request.check = false;
        request.warmUps = 0;
        request.repeat = 1;
        engine.talk->ask<RunCall>(2, request);
        const auto report = engine.talk->answer<RunCall>(2);
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
        Conversation engine;
        engine.talk->ask<HelloCall>(1, {});
        const auto welcome = engine.talk->answer<HelloCall>(1);
        QVERIFY(welcome && welcome->residentBytes > 1 << 20);
        report::InspectRequest load;
        load.model = m_model;
        engine.talk->ask<LoadCall>(2, load);
        QVERIFY(engine.talk->answer<LoadCall>(2));
        const protocol::Notification &last = engine.talk->notifications.back();
        QCOMPARE(last.event, std::string(protocol::MemoryEvent));
        const auto note = protocol::fromBody<protocol::MemoryNote>(last.body);
        QVERIFY(note && note->residentBytes > 1 << 20);
    }

    /// The pipe fills up while nobody reads; the run itself ends all the same, in its own time.
    void aWindowThatDoesNotReadHoldsNoRankUp()
    {
        Conversation engine;
        QVERIFY(engine.greet());
        report::RunRequest request = shortRun();
        request.plan.microbatches = 2000;
        request.plan.inputs = {*plan::parseInputSpec("x=float32[2000,8]")};
        request.check = false;
        request.repeat = 40;
        engine.talk->ask<RunCall>(2, request);
        QTest::qWait(1500);
        const auto report = engine.talk->answer<RunCall>(2);
        QVERIFY2(report, messageOf(report).c_str());
        const double slowest = *std::max_element(report->makespans.begin(), report->makespans.end());
        QVERIFY2(slowest < 1.0, qPrintable(QString::number(slowest)));
    }

    void errorsOfJobsAreAnswersAndTheEngineGoesOn()
    {
        Conversation engine;
        QVERIFY(engine.greet());
        report::InspectRequest load;
        load.model = "nowhere.pt";
        engine.talk->ask<LoadCall>(2, load);
        const auto failed = engine.talk->answer<LoadCall>(2);
        QVERIFY(!failed);
        QCOMPARE(failed.error().code, ErrorCode::NotFound);
        QCOMPARE(failed.error().message, std::string("there is no file 'nowhere.pt'"));
        load.model = m_model;
        engine.talk->ask<LoadCall>(3, load);
        QVERIFY(engine.talk->answer<LoadCall>(3));
    }

    void whatIsNoRequestIsRefusedInWords()
    {
        Conversation engine;
        QVERIFY(engine.greet());
        engine.talk->send(protocol::Request{2, "dance", {}});
        QCOMPARE(messageOf(engine.talk->answer<LoadCall>(2)), std::string("there is no method 'dance'"));
        engine.talk->send(protocol::Request{3, "load", "\x01"});
        QCOMPARE(messageOf(engine.talk->answer<LoadCall>(3)), std::string("body: expected an object, found number"));
        engine.talk->send(protocol::Request{4, "load", "\xff\xff"});
        QVERIFY(messageOf(engine.talk->answer<LoadCall>(4)).starts_with("a message cannot be read: it is no CBOR"));
        engine.talk->send(protocol::Notification{5, "progress", {}});
        QCOMPARE(messageOf(engine.talk->answer<LoadCall>(0)), std::string("an engine is sent requests only"));
    }

    void aRunIsCancelledWhileItRunsAndWhileItWaits()
    {
        Conversation engine;
        QVERIFY(engine.greet());
        const report::RunRequest run = endlessRun();
        engine.talk->ask<RunCall>(2, run);
        engine.talk->ask<RunCall>(3, run);
        QVERIFY(waitForEvent(engine, protocol::ProgressEvent));
        engine.talk->ask<CancelCall>(4, {3});
        const auto waiting = engine.talk->answer<CancelCall>(4);
        QVERIFY2(waiting && waiting->wasRunning, messageOf(waiting).c_str());
        engine.talk->ask<CancelCall>(5, {2});
        const auto running = engine.talk->answer<CancelCall>(5);
        QVERIFY2(running && running->wasRunning, messageOf(running).c_str());
        for (const std::int64_t id : {2, 3}) {
            const auto answer = engine.talk->answer<RunCall>(id);
            QVERIFY(!answer);
            QCOMPARE(answer.error().code, ErrorCode::Cancelled);
        }
        engine.talk->ask<CancelCall>(6, {2});
        const auto late = engine.talk->answer<CancelCall>(6);
        QVERIFY(late && !late->wasRunning);
    }

    void oneNumberIsNotTwoRequestsAtATime()
    {
        Conversation engine;
        QVERIFY(engine.greet());
        const report::RunRequest run = endlessRun();
        engine.talk->ask<RunCall>(2, run);
        engine.talk->ask<RunCall>(2, run);
        QCOMPARE(messageOf(engine.talk->answer<RunCall>(2)), std::string("there already is a request 2"));
    }

    void theEndOfTheInputEndsTheRunAndTheEngine()
    {
        Conversation engine;
        QVERIFY(engine.greet());
        const report::RunRequest run = endlessRun();
        engine.talk->ask<RunCall>(2, run);
        QVERIFY(waitForEvent(engine, protocol::ProgressEvent));
        engine.hangUp();
        const auto answer = engine.talk->answer<RunCall>(2);
        QVERIFY(!answer);
        QCOMPARE(answer.error().code, ErrorCode::Cancelled);
        engine.waitForEnd();
        QVERIFY(engine.ended);
        QVERIFY(!engine.gaveUp);
    }

    void codeThatDoesNotEndWithTheConversationIsGivenUp()
    {
        Conversation engine(std::chrono::milliseconds(1));
        QVERIFY(runsSlowCode(engine));
        engine.hangUp();
        engine.waitForEnd();
        QVERIFY(engine.gaveUp);
    }

    /// As the stages on a slow disk: half of them would be worse than none.
    void filesThatAreBeingGivenTheirPlacesAreWaitedFor()
    {
        Conversation engine(std::chrono::milliseconds(1));
        QVERIFY(runsSlowCode(engine));
        std::optional<Commit> commit(std::in_place);
        engine.hangUp();
        QTest::qSleep(50);
        const bool tooSoon = engine.gaveUp;
        commit.reset();
        engine.waitForEnd();
        QVERIFY(!tooSoon);
        QVERIFY(engine.gaveUp); // nothing else is
    }

    void aStopEndsAnEngineThatWaits()
    {
        Conversation engine;
        QVERIFY(engine.greet());
        engine.stop.request_stop();
        engine.waitForEnd();
        QVERIFY(engine.ended);
    }

    void garbageIsAnsweredAndEndsTheConversation_data()
    {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<QString>("message");
        QTest::newRow("text") << QByteArray("GET / HTTP/1.1\r\n")
                              << "what arrived is no message of pipescope-cli: 'GET / HTTP/1.1..'";
        QTest::newRow("too large") << QByteArray("PSc1\xff\xff\xff\x7f", 8)
                                   << "a message of 2.00 GiB was announced; 256 MiB is the most there may be";
        QTest::newRow("no CBOR") << QByteArray("PSc1\2\0\0\0\xff\xff", 10)
                                 << "a message cannot be read: it is no CBOR at byte 1";
        QTest::newRow("no message") << QByteArray("PSc1\1\0\0\0\x80", 9)
                                    << "a message cannot be read: 'kind' is missing";
    }

    void garbageIsAnsweredAndEndsTheConversation()
    {
        QFETCH(QByteArray, bytes);
        QFETCH(QString, message);
        Conversation engine;
        engine.talk->sendBytes({bytes.data(), static_cast<std::size_t>(bytes.size())});
        QCOMPARE(messageOf(engine.talk->answer<LoadCall>(0)), message.toStdString());
        engine.waitForEnd();
        QVERIFY(!engine.ended);
        QCOMPARE(engine.ended.error().message, message.toStdString());
    }

    void aMessageCutShortIsToldFromTheEnd()
    {
        Conversation engine;
        QVERIFY(engine.greet());
        engine.talk->sendBytes("PSc1");
        engine.hangUp();
        engine.waitForEnd();
        QCOMPARE(messageOf(engine.ended), std::string("the conversation ended: the last message was cut short"));
    }

    void aRealFileComesThroughWhole()
    {
        const std::string path = realModel("silero_vad.jit");
        if (path.empty())
            QSKIP("the real model files are not here");
        Conversation engine;
        QVERIFY(engine.greet());
        report::InspectRequest load;
        load.model = path;
        engine.talk->ask<LoadCall>(2, load);
        const auto inspection = engine.talk->answer<LoadCall>(2);
        QVERIFY2(inspection, messageOf(inspection).c_str());
        QVERIFY(inspection->graph.size() > 30);
        QVERIFY(graph::checkReferences(inspection->graph));
        QVERIFY(!inspection->splitPoints.empty());
    }

private:
    /// Asks for a model whose code takes its time as it is loaded. Whether it has begun to.
    bool runsSlowCode(Conversation &engine) const
    {
        torch::jit::Module slow = emptyModule("Slow");
        slow.register_attribute("count", c10::IntType::get(), 3'000'000);
        slow.define("def __getstate__(self) -> int:\n    return self.count\n"
                    "def __setstate__(self, state: int) -> None:\n    print(state)\n    self.count = 0\n"
                    "    while self.count < state:\n        self.count += 1\n    self.training = False\n"
                    "def forward(self, x: Tensor) -> Tensor:\n    return x\n");
        report::InspectRequest load;
        load.model = save(slow, m_folder.filePath("slow.pt").toStdString());
        if (!engine.greet())
            return false;
        int printed[2] = {-1, -1}; // which goes to standard error, and tells that the code runs
        if (::pipe2(printed, O_CLOEXEC) != 0)
            return false;
        const int standardError = ::dup(STDERR_FILENO);
        ::dup2(printed[1], STDERR_FILENO);
        engine.talk->ask<LoadCall>(2, load);
        pollfd ready{printed[0], POLLIN, 0};
        const bool isRunning = ::poll(&ready, 1, 30'000) == 1;
        ::dup2(standardError, STDERR_FILENO);
        for (const int number : {printed[0], printed[1], standardError})
            ::close(number);
        return isRunning;
    }

    report::RunRequest shortRun() const
    {
        report::RunRequest run;
        run.plan.model = m_model;
        run.plan.inputs = {*plan::parseInputSpec("x=float32[6,8]")};
        run.plan.splits = {"block1"};
        run.plan.microbatches = 3;
        return run;
    }

    /// One that only a cancellation ends.
    report::RunRequest endlessRun() const
    {
        report::RunRequest run;
        run.plan.model = m_model;
        run.plan.inputs = {*plan::parseInputSpec("x=float32[64,8]")};
        run.plan.splits = {"block1"};
        run.plan.microbatches = 64;
        run.repeat = 1'000'000;
        return run;
    }

    QTemporaryDir m_folder;
    std::string m_model;
};

QTEST_GUILESS_MAIN(TestServer)
#include "tst_server.moc"

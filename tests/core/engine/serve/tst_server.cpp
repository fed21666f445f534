#include "engine/serve/server.h"

#include "core/engine/serve/served_engine.h"
#include "support/test_program.h"

#include <QTest>
#include <algorithm>

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

/// What an engine answers. What it tells meanwhile and how it ends have tests of their own.
class TestServer : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void theGreetingSaysWhoAnswers()
    {
        ServedEngine engine;
        engine.talk->ask<HelloCall>(1, {protocol::Version, "test"});
        const auto welcome = engine.talk->answer<HelloCall>(1);
        QVERIFY2(welcome, messageOf(welcome).c_str());
        QCOMPARE(welcome->engine, std::string("test-engine"));
        QVERIFY(welcome->torch.starts_with("2."));
        QVERIFY(welcome->cores > 0);
    }

    void anotherVersionIsRefusedInWords()
    {
        ServedEngine engine;
        engine.talk->ask<HelloCall>(1, {99, "pipescope 9.0"});
        const auto welcome = engine.talk->answer<HelloCall>(1);
        QCOMPARE(messageOf(welcome), std::string("this engine (test-engine) speaks version 2 of the protocol, and "
                                                 "pipescope 9.0 version 99; use both of one release"));
        engine.talk->ask<LoadCall>(2, {});
        QCOMPARE(messageOf(engine.talk->answer<LoadCall>(2)),
                 std::string("the first request must be 'hello', which names the version"));
    }

    void aModelIsLoadedProfiledRunAndSplit()
    {
        ServedEngine engine;
        QVERIFY(engine.greet());
        report::InspectRequest load;
        load.model = m_model.path;
        load.inputs = {*plan::parseInputSpec("x=float32[6,8]")};
        engine.talk->ask<LoadCall>(2, load);
        const auto inspection = engine.talk->answer<LoadCall>(2);
        QVERIFY2(inspection, messageOf(inspection).c_str());
        QVERIFY(inspection->profiled);
        QCOMPARE(inspection->graph.modelClass, std::string("Chain"));

        protocol::SplitRequest request;
        request.run.plan.model = m_model.path;
        request.run.plan.inputs = load.inputs;
        request.run.plan.splits = {"block1"};
        request.run.plan.microbatches = 3;
        engine.talk->ask<RunCall>(3, request.run);
        const auto run = engine.talk->run(3);
        QVERIFY2(run, messageOf(run).c_str());
        QVERIFY(run->equivalence && run->equivalence->overall.bitwise);
        QCOMPARE(run->stages.size(), std::size_t(2));
        QVERIFY(!run->trace.events.empty());
        const auto isProgress = [](const protocol::Notification &told) {
            return told.event == protocol::ProgressEvent && told.id == 3 &&
                   protocol::fromBody<protocol::ProgressNote>(told.body);
        };
        QVERIFY(std::any_of(engine.talk->notifications.begin(), engine.talk->notifications.end(), isProgress));

        request.folder = m_model.folder.filePath("stages").toStdString();
        engine.talk->ask<SplitCall>(4, request);
        const auto split = engine.talk->answer<SplitCall>(4);
        QVERIFY2(split, messageOf(split).c_str());
        QCOMPARE(split->files.size(), std::size_t(2));
        QVERIFY(std::filesystem::exists(request.folder + "/stage1.pt"));
    }

    void aProfileNeedsInputs()
    {
        ServedEngine engine;
        QVERIFY(engine.greet());
        report::InspectRequest request;
        request.model = m_model.path;
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
        ServedEngine engine;
        QVERIFY(engine.greet());
        report::RunRequest request = m_model.shortRun();
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
        ServedEngine engine;
        QVERIFY(engine.greet());
        report::StatisticsRequest request;
        request.plan = m_model.shortRun().plan;
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
        ServedEngine engine;
        QVERIFY(engine.greet());
        report::StatisticsRequest request;
        request.plan = m_model.shortRun().plan;
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
        engine.talk->ask<RunCall>(4, m_model.shortRun());
        QVERIFY(engine.talk->answer<RunCall>(4));
        engine.talk->ask<StatisticsCall>(5, request);
        QVERIFY(engine.talk->answer<StatisticsCall>(5));
        QCOMPARE(loads(), std::ptrdiff_t(3));
    }

    void aFileThatIsNotTheOneExpectedIsRefused()
    {
        ServedEngine engine;
        QVERIFY(engine.greet());
        report::RunRequest run = m_model.shortRun();
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

    void errorsOfJobsAreAnswersAndTheEngineGoesOn()
    {
        ServedEngine engine;
        QVERIFY(engine.greet());
        report::InspectRequest load;
        load.model = "nowhere.pt";
        engine.talk->ask<LoadCall>(2, load);
        const auto failed = engine.talk->answer<LoadCall>(2);
        QVERIFY(!failed);
        QCOMPARE(failed.error().code, ErrorCode::NotFound);
        QCOMPARE(failed.error().message, std::string("there is no file 'nowhere.pt'"));
        load.model = m_model.path;
        engine.talk->ask<LoadCall>(3, load);
        QVERIFY(engine.talk->answer<LoadCall>(3));
    }

    void whatIsNoRequestIsRefusedInWords()
    {
        ServedEngine engine;
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
        ServedEngine engine;
        QVERIFY(engine.greet());
        const report::RunRequest run = m_model.endlessRun();
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
        ServedEngine engine;
        QVERIFY(engine.greet());
        const report::RunRequest run = m_model.endlessRun();
        engine.talk->ask<RunCall>(2, run);
        engine.talk->ask<RunCall>(2, run);
        QCOMPARE(messageOf(engine.talk->answer<RunCall>(2)), std::string("there already is a request 2"));
    }

private:
    ServedModel m_model;
};

PIPESCOPE_TEST(TestServer)
#include "tst_server.moc"

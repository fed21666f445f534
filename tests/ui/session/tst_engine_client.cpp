#include "fake_link.h"
#include "session/engine_client.h"
#include "support/fake_clock.h"
#include "support/qt_warnings.h"
#include "support/test_program.h"
#include "support/trace_builder.h"

#include <QElapsedTimer>
#include <QPointer>
#include <QSignalSpy>
#include <QTest>
#include <atomic>
#include <optional>
#include <semaphore>
#include <thread>

using namespace pipescope;
using namespace pipescope::session;
using namespace std::chrono_literals;
using protocol::LoadCall;
using protocol::RunCall;
using State = EngineClient::State;

namespace {

/// Asks for an answer whose reading is held up for as long as a test wants, on whichever thread that is.
struct SlowAnswer
{
    std::thread::id readBy;
};

struct SlowCall
{
    static constexpr std::string_view method = LoadCall::method;
    using Request = LoadCall::Request;
    using Answer = SlowAnswer;
};

std::atomic<int> slowBegun = 0;
std::binary_semaphore slowAllowed(0);

} // namespace

template <>
Result<SlowAnswer> pipescope::protocol::fromBody(std::string_view)
{
    ++slowBegun;
    slowAllowed.acquire();
    return SlowAnswer{std::this_thread::get_id()};
}

namespace {

/// A client, the engine that the test plays, and what became of requests: "ok", or the error's message.
struct Table
{
    FakeEngine engine;
    EngineClient client{[this] { return std::make_unique<FakeLink>(engine); }};
    std::vector<std::string> outcomes;

    std::int64_t load(const QString &title = QStringLiteral("loading model.pt"))
    {
        return client.ask<LoadCall>(title, {}, [this](const Result<report::Inspection> &answer) {
            outcomes.push_back(answer ? "ok" : answer.error().message);
        });
    }
    /// Started and greeted.
    void begin()
    {
        client.start();
        engine.greet();
    }
};

/// A table whose engine has sent such an answer, and is read beside.
struct SlowTable : Table
{
    std::optional<std::thread::id> readBy;
    std::int64_t slow = 0;

    SlowTable()
    {
        slowBegun = 0;
        begin();
        slow = client.ask<SlowCall>("loading big.pt", {}, [this](const Result<SlowAnswer> &answer) {
            outcomes.push_back(answer ? "slow" : answer.error().message);
            if (answer)
                readBy = answer->readBy;
        });
        engine.say(protocol::Response{slow, std::string(static_cast<std::size_t>(MessageReader::AtOnce), 'x')});
    }
};

} // namespace

class TestEngineClient : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { tests::failOnWarnings(); }

    void whereFilesAreIsToldOfTheEngineThatRuns()
    {
        Table table;
        QVERIFY(!table.client.isElsewhere());
        table.begin();
        table.engine.elsewhere = "ssh host";
        QVERIFY(!table.client.isElsewhere()); // as it was started
        table.client.stop();
        QCOMPARE(table.client.elsewhere(), QString("ssh host")); // as it would be
        QCOMPARE(table.engine.starts, 1);
        table.client.start();
        table.engine.elsewhere.clear();
        QVERIFY(table.client.isElsewhere());
    }

    /// Which then ends by itself, once the files have their places.
    void anEngineThatSavesIsNotKilledForTakingItsTime()
    {
        Table idle;
        idle.begin();
        Table saving;
        saving.begin();
        saving.client.ask<protocol::SplitCall>("saving", {}, [](const auto &) {});
        QCOMPARE(saving.engine.requests.back().method, std::string("split"));
        idle.client.stop();
        saving.client.stop();
        QVERIFY(idle.engine.closed && saving.engine.closed);
        QCOMPARE(*idle.engine.goesWithin, 2s);
        QCOMPARE(*saving.engine.goesWithin, 60s);
        QVERIFY(saving.engine.link);
        Q_EMIT saving.engine.link->ended("it ended with exit code 0");
        QTRY_VERIFY(!saving.engine.link);
    }

    /// What is not understood may be a library's print, and says nothing of the files.
    void oneThatSavesAndIsNotUnderstoodHasItsTimeToo()
    {
        Table table;
        table.begin();
        table.client.ask<protocol::SplitCall>("saving", {}, [](const auto &) {});
        const QPointer<EngineLink> link = table.engine.link;
        table.engine.sayBytes("Welcome");
        QCOMPARE(table.client.state(), State::Lost);
        QVERIFY(table.engine.closed);
        QCOMPARE(*table.engine.goesWithin, 60s);
        QVERIFY(link);
        Q_EMIT link->ended("it ended with exit code 0");
        QTRY_VERIFY(!link);
    }

    void oneThatDiesWhileItSavesIsNotWaitedFor()
    {
        Table table;
        table.begin();
        table.client.ask<protocol::SplitCall>("saving", {}, [](const auto &) {});
        Q_EMIT table.engine.link->ended("it was ended by signal 9");
        QTRY_VERIFY(!table.engine.link);
    }

    void aClientThatGoesWaitsForAnEngineThatSavesAndForNoOther_data()
    {
        QTest::addColumn<bool>("isAsked");
        QTest::addColumn<bool>("isSent");
        QTest::addColumn<bool>("isAnswered");
        QTest::addColumn<bool>("isStopped");
        QTest::addColumn<bool>("isWaitedFor");
        QTest::newRow("runs only") << false << true << false << false << false;
        QTest::newRow("saves") << true << true << false << false << true;
        QTest::newRow("would save once it has greeted") << true << false << false << false << false;
        QTest::newRow("has saved") << true << true << true << false << false;
        QTest::newRow("was stopped while it ran") << false << true << false << true << false;
        QTest::newRow("was stopped while it saved") << true << true << false << true << true;
    }

    void aClientThatGoesWaitsForAnEngineThatSavesAndForNoOther()
    {
        QFETCH(bool, isAsked);
        QFETCH(bool, isSent);
        QFETCH(bool, isAnswered);
        QFETCH(bool, isStopped);
        QFETCH(bool, isWaitedFor);
        FakeEngine engine;
        auto client = std::make_unique<EngineClient>([&] { return std::make_unique<FakeLink>(engine); });
        client->setClock(tests::FakeClock().clock());
        client->start();
        if (isSent)
            engine.greet();
        client->ask<RunCall>("running", {}, [](const auto &) {});
        if (isAsked)
            client->ask<protocol::SplitCall>("saving", {}, [](const auto &) {});
        if (isAnswered)
            engine.answer(engine.requests.back().id, report::SplitReport{});
        if (isStopped)
            client->stop();
        client.reset();
        QVERIFY(!engine.link);
        QCOMPARE(engine.waitedFor.has_value(), isWaitedFor);
        QCOMPARE(engine.closed, isWaitedFor || isStopped);
        if (isWaitedFor) // longer than an engine gives itself (ServeOptions::patience), and no user's patience
            QCOMPARE(*engine.waitedFor, 5s);
    }

    void anEngineIsReadyOnceItHasGreeted()
    {
        Table table;
        QSignalSpy states(&table.client, &EngineClient::stateChanged);
        QCOMPARE(table.client.state(), State::Off);
        table.client.start();
        QCOMPARE(table.client.state(), State::Starting);
        QCOMPARE(table.engine.requests.at(0).method, std::string("hello"));
        table.engine.greet();
        QCOMPARE(table.client.state(), State::Ready);
        QCOMPARE(table.client.welcome().engine, std::string("fake"));
        QCOMPARE(states.size(), 2);
        table.client.start();
        QCOMPARE(table.engine.starts, 1);
    }

    void aRequestStartsTheEngineAndWaitsForTheGreeting()
    {
        Table table;
        const std::int64_t id = table.load();
        QCOMPARE(table.engine.starts, 0);
        QTRY_COMPARE(table.engine.starts, 1);
        QCOMPARE(table.engine.requests.size(), std::size_t(1));
        table.engine.greet();
        QCOMPARE(table.engine.requests.size(), std::size_t(2));
        QCOMPARE(table.engine.requests[1].id, id);
        QCOMPARE(table.client.doing(), QString("loading model.pt"));
        table.engine.answer(id, report::Inspection{});
        QCOMPARE(table.outcomes, (std::vector<std::string>{"ok"}));
        QVERIFY(!table.client.isBusy());
    }

    void answersMayComeInAnyOrder()
    {
        Table table;
        table.begin();
        const std::int64_t first = table.load();
        const std::int64_t second = table.load();
        table.engine.say(protocol::Response{second, Error{ErrorCode::NotFound, "no second", {}, {}}});
        table.engine.answer(first, report::Inspection{});
        QCOMPARE(table.outcomes, (std::vector<std::string>{"no second", "ok"}));
    }

    void whatIsToldOfARequestIsSignalled()
    {
        Table table;
        QSignalSpy progress(&table.client, &EngineClient::progressed);
        QSignalSpy warnings(&table.client, &EngineClient::warned);
        table.begin();
        const std::int64_t id = table.load();
        table.engine.say(
            protocol::Notification{id, "progress", protocol::toBody(protocol::ProgressNote{"running", 0.5})});
        table.engine.say(protocol::Notification{id, "warning", protocol::toBody(protocol::TextNote{"beware"})});
        table.engine.say(protocol::Notification{99, "warning", protocol::toBody(protocol::TextNote{"of nobody"})});
        table.engine.say(protocol::Notification{id, "something new", {}});
        QCOMPARE(progress.size(), 1);
        QCOMPARE(progress[0][1].toString(), QString("running"));
        QCOMPARE(progress[0][2].toDouble(), 0.5);
        QCOMPARE(warnings.size(), 1);
        QCOMPARE(warnings[0][1].toString(), QString("beware"));
        QCOMPARE(table.client.state(), State::Ready);
    }

    void whatTheRanksDoIsSignalled()
    {
        Table table;
        std::vector<trace::TracePart> parts;
        connect(&table.client, &EngineClient::traced, this,
                [&](std::int64_t, const trace::TracePart &part) { parts.push_back(part); });
        table.begin();
        const std::int64_t id = table.load();
        const trace::TracePart part{1, 0, tests::evenForward(2, 2, 10)};
        table.engine.tell(id, part);
        table.engine.say(protocol::Notification{id, "trace", "no part"});
        table.engine.tell(99, part);
        QCOMPARE(parts, (std::vector<trace::TracePart>{part}));
        QCOMPARE(table.client.state(), State::Ready);
    }

    void theEnginesMemoryIsKnownWhileItLives()
    {
        Table table;
        QSignalSpy changed(&table.client, &EngineClient::residentBytesChanged);
        QCOMPARE(table.client.residentBytes(), 0);
        table.client.start();
        protocol::Welcome welcome;
        welcome.residentBytes = 100;
        table.engine.answer(table.engine.requests.at(0).id, welcome);
        QCOMPARE(table.client.residentBytes(), 100);
        const std::int64_t id = table.load();
        for (int i = 0; i < 2; ++i)
            table.engine.say(protocol::Notification{id, "memory", protocol::toBody(protocol::MemoryNote{214})});
        QCOMPARE(table.client.residentBytes(), 214);
        QCOMPARE(changed.size(), 2);
        Q_EMIT table.engine.link->ended("it was ended by signal 9");
        QCOMPARE(table.client.residentBytes(), 0);
    }

    void anEngineThatGoesOnAfterACancellationIsUnresponsive()
    {
        Table table;
        table.client.setPatience(0ms);
        QSignalSpy states(&table.client, &EngineClient::stateChanged);
        table.begin();
        const std::int64_t id = table.load();
        states.clear();
        table.client.cancel(id);
        table.engine.answer(table.engine.requests.back().id, protocol::CancelAnswer{true}); // words, but no deeds
        QVERIFY(!table.client.isUnresponsive());
        QTRY_VERIFY(table.client.isUnresponsive());
        QCOMPARE(states.size(), 1);
        QCOMPARE(table.client.state(), State::Ready);
        table.engine.say(protocol::Response{id, Error{ErrorCode::Cancelled, "the run was cancelled", {}, {}}});
        QVERIFY(!table.client.isUnresponsive());
        QCOMPARE(states.size(), 2);
    }

    /// An engine does one after another, and answers for it when its turn has come.
    void whatIsCancelledWhileItWaitsForLongWorkIsNotMissedBeforeItsTurn()
    {
        Table table;
        table.client.setPatience(0ms);
        table.begin();
        const std::int64_t slow = table.load("running model.pt");
        const std::int64_t waiting = table.load();
        const tests::FakeClock time;
        table.client.setClock(time.clock());
        table.client.cancel(waiting);
        time.advance(100ms);
        QCoreApplication::processEvents(); // in which a patience of nothing ends
        QVERIFY(!table.client.isUnresponsive());
        table.client.cancel(waiting); // which it is already
        table.engine.answer(slow, report::Inspection());
        QVERIFY(!table.client.isUnresponsive());
        QTRY_VERIFY(table.client.isUnresponsive());
        QCOMPARE(table.client.doing(), QString("loading model.pt"));
        time.advance(20ms);
        QCOMPARE(table.client.cancelledFor(), 120ms); // from when it was asked to
    }

    void anEngineThatFollowsOneCancellationHasItsTimeForTheNext()
    {
        Table table;
        table.client.setPatience(0ms);
        table.begin();
        const std::int64_t first = table.load();
        table.client.cancel(first);
        table.client.cancel(table.load());
        QTRY_VERIFY(table.client.isUnresponsive());
        table.engine.say(protocol::Response{first, Error{ErrorCode::Cancelled, "the run was cancelled", {}, {}}});
        QVERIFY(!table.client.isUnresponsive());
        QTRY_VERIFY(table.client.isUnresponsive());
    }

    void anUnresponsiveEngineIsStoppedAndAnotherStarts()
    {
        Table table;
        table.client.setPatience(0ms);
        table.begin();
        table.client.cancel(table.load());
        QTRY_VERIFY(table.client.isUnresponsive());
        table.client.stop();
        QVERIFY(!table.client.isUnresponsive());
        QCOMPARE(table.outcomes, (std::vector<std::string>{"the engine was stopped"}));
        table.load();
        QTRY_COMPARE(table.engine.starts, 2);
    }

    void anAnswerThatCannotBeReadIsThatRequestsError()
    {
        Table table;
        table.begin();
        table.engine.say(protocol::Response{table.load(), std::string("\x01")});
        QCOMPARE(table.outcomes, (std::vector<std::string>{"body: expected an object, found number"}));
        QCOMPARE(table.client.state(), State::Ready);
    }

    void anEngineThatDiesIsLostAndSaysWhatItWasDoing()
    {
        Table table;
        table.begin();
        table.load("running decoder.pt");
        table.load("loading model.pt");
        Q_EMIT table.engine.link->ended("it was ended by signal 9");
        const QString reason = "The engine is gone while running decoder.pt: it was ended by signal 9.";
        QCOMPARE(table.client.state(), State::Lost);
        QCOMPARE(table.client.lostBecause(), reason);
        QVERIFY(!table.client.couldNotStart());
        QCOMPARE(table.outcomes, (std::vector<std::string>(2, reason.toStdString())));
        QVERIFY(!table.client.isBusy());
    }

    void aLostEngineIsReplacedByTheNextRequest()
    {
        Table table;
        table.begin();
        Q_EMIT table.engine.link->ended("it ended with exit code 3");
        QCOMPARE(table.client.lostBecause(), QString("The engine is gone: it ended with exit code 3."));
        const std::int64_t id = table.load();
        QTRY_COMPARE(table.engine.starts, 2);
        table.engine.greet();
        table.engine.answer(id, report::Inspection{});
        QCOMPARE(table.client.state(), State::Ready);
        QCOMPARE(table.client.lostBecause(), QString());
        QCOMPARE(table.outcomes, (std::vector<std::string>{"ok"}));
    }

    void whatIsNotUnderstoodLosesTheEngine_data()
    {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<QString>("reason");
        const auto framed = [](const protocol::Message &message) {
            return QByteArray::fromStdString(*protocol::frameOf(protocol::toBytes(message)));
        };
        QTest::newRow("text") << QByteArray("Password: ")
                              << "what arrived is no message of pipescope-cli: 'Password: '";
        QTest::newRow("too large") << QByteArray("PSc1\xff\xff\xff\x7f", 8)
                                   << "a message of 2.00 GiB was announced; 256 MiB is the most there may be";
        QTest::newRow("no CBOR") << QByteArray("PSc1\1\0\0\0\xff", 9)
                                 << "a message cannot be read: it is no CBOR at byte 1";
        QTest::newRow("a request") << framed(protocol::Request{1, "load", {}})
                                   << "it asked something, which only the window does";
        QTest::newRow("told of garbage") << framed(
                                                protocol::Response{0, Error{ErrorCode::InvalidFile, "what?", {}, {}}})
                                         << "what?";
    }

    void whatIsNotUnderstoodLosesTheEngine()
    {
        QFETCH(QByteArray, bytes);
        QFETCH(QString, reason);
        Table table;
        table.begin();
        table.load("running x");
        table.engine.sayBytes({bytes.data(), static_cast<std::size_t>(bytes.size())});
        QCOMPARE(table.client.state(), State::Lost);
        QCOMPARE(table.client.lostBecause(), "The engine is gone while running x: " + reason + ".");
        QCOMPARE(table.outcomes.size(), std::size_t(1));
    }

    void anEngineOfAnotherVersionIsLostInItsOwnWords()
    {
        Table table;
        table.client.start();
        table.engine.say(protocol::Response{table.engine.requests.at(0).id,
                                            Error{ErrorCode::Unsupported, "it speaks version 3", {}, {}}});
        QCOMPARE(table.client.state(), State::Lost);
        QCOMPARE(table.client.lostBecause(), QString("The engine could not be started: it speaks version 3."));
    }

    void aCancelledRequestIsAnsweredByTheEngine()
    {
        Table table;
        table.begin();
        const std::int64_t id = table.load();
        table.client.cancel(id);
        QCOMPARE(table.engine.requests.back().method, std::string("cancel"));
        const auto asked = protocol::fromBody<protocol::CancelRequest>(table.engine.requests.back().body);
        QVERIFY(asked && asked->id == id);
        table.engine.answer(table.engine.requests.back().id, protocol::CancelAnswer{true});
        QVERIFY(table.outcomes.empty());
        table.engine.say(protocol::Response{id, Error{ErrorCode::Cancelled, "the run was cancelled", {}, {}}});
        QCOMPARE(table.outcomes, (std::vector<std::string>{"the run was cancelled"}));
        table.client.cancel(id); // nothing is left of it
        QCOMPARE(table.engine.requests.back().method, std::string("cancel"));
    }

    void aRequestIsCancelledBeforeTheEngineHasGreeted()
    {
        Table table;
        const std::int64_t id = table.load();
        QTRY_COMPARE(table.engine.starts, 1);
        table.client.cancel(id);
        QVERIFY(table.outcomes.empty());
        QTRY_COMPARE(table.outcomes, (std::vector<std::string>{"the engine was stopped"}));
        table.engine.greet();
        QCOMPARE(table.engine.requests.size(), std::size_t(1));
    }

    void stoppingEndsAnEngineThatNeverAnswers()
    {
        Table table;
        table.begin();
        table.load();
        const QPointer<EngineLink> link = table.engine.link;
        table.client.stop();
        QCOMPARE(table.client.state(), State::Off);
        QCOMPARE(table.outcomes, (std::vector<std::string>{"the engine was stopped"}));
        QVERIFY(table.engine.closed);
        QVERIFY(link);
        Q_EMIT link->ended("it ended with exit code 0");
        QTRY_VERIFY(!link);
        QCOMPARE(table.client.lostBecause(), QString());
    }

    void anAnswerMayStopTheEngine()
    {
        Table table;
        table.begin();
        const std::int64_t first =
            table.client.ask<LoadCall>("loading", {}, [&](const Result<report::Inspection> &) { table.client.stop(); });
        const std::int64_t second = table.load();
        const std::string both =
            *protocol::frameOf(protocol::toBytes(protocol::Response{first, protocol::toBody(report::Inspection{})})) +
            *protocol::frameOf(protocol::toBytes(protocol::Response{second, protocol::toBody(report::Inspection{})}));
        table.engine.sayBytes(both);
        QCOMPARE(table.outcomes, (std::vector<std::string>{"the engine was stopped"}));
        QCOMPARE(table.client.state(), State::Off);
    }

    void aLargeAnswerIsReadBesideTheWindow()
    {
        SlowTable table;
        QTRY_COMPARE(slowBegun.load(), 1);
        const std::int64_t small = table.load();
        table.engine.answer(small, report::Inspection{});
        QVERIFY(table.outcomes.empty()); // in the order of the engine
        QCOMPARE(table.client.doing(), QString("loading big.pt"));
        slowAllowed.release();
        QTRY_COMPARE(table.outcomes, (std::vector<std::string>{"slow", "ok"}));
        QVERIFY(table.readBy != std::this_thread::get_id());
        QVERIFY(!table.client.isBusy());
    }

    void anEngineThatDiesAfterALargeAnswerHasAnswered()
    {
        SlowTable table;
        table.load();
        QTRY_COMPARE(slowBegun.load(), 1);
        const QPointer<EngineLink> link = table.engine.link;
        Q_EMIT link->ended("it was ended by signal 9");
        QCOMPARE(table.client.state(), State::Ready);
        table.load(); // which nobody hears any more
        QCOMPARE(table.engine.requests.back().id, table.slow + 1);
        slowAllowed.release();
        QTRY_COMPARE(table.client.state(), State::Lost);
        const std::string reason = "The engine is gone while loading model.pt: it was ended by signal 9.";
        QCOMPARE(table.outcomes, (std::vector<std::string>{"slow", reason, reason}));
        QTRY_VERIFY(!link);
    }

    void anEngineIsStoppedWhileItsLargeAnswerIsRead()
    {
        SlowTable table;
        QTRY_COMPARE(slowBegun.load(), 1);
        table.client.stop();
        QCOMPARE(table.outcomes, (std::vector<std::string>{"the engine was stopped"}));
        const std::int64_t id = table.load(); // another one starts while that is still being read
        QTRY_COMPARE(table.engine.starts, 2);
        table.engine.greet();
        table.engine.answer(id, report::Inspection{});
        QCOMPARE(table.outcomes, (std::vector<std::string>{"the engine was stopped", "ok"}));
        QCOMPARE(table.client.findChildren<MessageReader *>().size(), 2);
        slowAllowed.release();
        QTRY_COMPARE(table.client.findChildren<MessageReader *>().size(), 1);
        QCOMPARE(table.outcomes.size(), std::size_t(2));
        QCOMPARE(table.client.state(), State::Ready);
    }

    void aRequestIsCancelledWhileItsLargeAnswerIsRead()
    {
        SlowTable table;
        QTRY_COMPARE(slowBegun.load(), 1);
        table.client.cancel(table.slow);
        table.engine.answer(table.engine.requests.back().id, protocol::CancelAnswer{false});
        slowAllowed.release();
        QTRY_COMPARE(table.outcomes, (std::vector<std::string>{"slow"}));
        QVERIFY(!table.client.isBusy());
    }

    void theClientGoesWhileALargeAnswerIsRead()
    {
        slowBegun = 0;
        FakeEngine engine;
        bool called = false;
        auto client = std::make_unique<EngineClient>([&] { return std::make_unique<FakeLink>(engine); });
        client->start();
        engine.greet();
        const std::int64_t id =
            client->ask<SlowCall>("loading", {}, [&](const Result<SlowAnswer> &) { called = true; });
        engine.say(protocol::Response{id, std::string(static_cast<std::size_t>(MessageReader::AtOnce), 'x')});
        QTRY_COMPARE(slowBegun.load(), 1);
        slowAllowed.release();
        client.reset();
        QCoreApplication::processEvents();
        QVERIFY(!engine.link);
        QVERIFY(!called);
    }

    void nothingIsCalledOnceTheClientIsGone()
    {
        FakeEngine engine;
        bool called = false;
        auto client = std::make_unique<EngineClient>([&] { return std::make_unique<FakeLink>(engine); });
        client->start();
        engine.greet();
        client->ask<LoadCall>("loading", {}, [&](const Result<report::Inspection> &) { called = true; });
        client.reset();
        QVERIFY(!engine.link);
        QVERIFY(!called);
    }
};

PIPESCOPE_TEST(TestEngineClient)
#include "tst_engine_client.moc"

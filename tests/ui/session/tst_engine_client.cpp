#include "session/engine_client.h"

#include "engine_table.h"
#include "support/fake_clock.h"
#include "support/qt_warnings.h"
#include "support/test_program.h"
#include "support/trace_builder.h"

#include <QSignalSpy>
#include <QTest>

using namespace pipescope;
using namespace pipescope::session;
using namespace std::chrono_literals;
using State = EngineClient::State;

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
            table.engine.say(protocol::Notification{id, "memory", protocol::toBody(protocol::MemoryNote{214, {}})});
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
};

PIPESCOPE_TEST(TestEngineClient)
#include "tst_engine_client.moc"

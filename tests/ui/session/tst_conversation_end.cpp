#include "engine_table.h"
#include "session/engine_client.h"
#include "support/fake_clock.h"
#include "support/qt_warnings.h"
#include "support/test_program.h"

#include <QPointer>
#include <QTest>

using namespace pipescope;
using namespace pipescope::session;
using namespace std::chrono_literals;
using protocol::LoadCall;
using protocol::RunCall;
using State = EngineClient::State;

/// How a conversation with an engine ends: it dies, is not understood, is stopped, or the client goes.
class TestConversationEnd : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { tests::failOnWarnings(); }

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

PIPESCOPE_TEST(TestConversationEnd)
#include "tst_conversation_end.moc"

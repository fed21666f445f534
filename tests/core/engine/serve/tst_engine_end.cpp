#include "engine/serve/server.h"

#include "base/commit.h"
#include "core/engine/serve/served_engine.h"

#include "support/test_program.h"

#include <QTest>
#include <chrono>
#include <fcntl.h>
#include <optional>

using namespace pipescope;
using namespace pipescope::tests;
using protocol::LoadCall;
using protocol::RunCall;

/// How an engine ends, with a conversation and without one that goes on.
class TestEngineEnd : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void theEndOfTheInputEndsTheRunAndTheEngine()
    {
        ServedEngine engine;
        QVERIFY(engine.greet());
        const report::RunRequest run = m_model.endlessRun();
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
        ServedEngine engine(std::chrono::milliseconds(1));
        QVERIFY(runsSlowCode(engine));
        engine.hangUp();
        engine.waitForEnd();
        QVERIFY(engine.gaveUp);
    }

    /// As the stages on a slow disk: half of them would be worse than none.
    void filesThatAreBeingGivenTheirPlacesAreWaitedFor()
    {
        ServedEngine engine(std::chrono::milliseconds(1));
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
        ServedEngine engine;
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
        ServedEngine engine;
        engine.talk->sendBytes({bytes.data(), static_cast<std::size_t>(bytes.size())});
        QCOMPARE(messageOf(engine.talk->answer<LoadCall>(0)), message.toStdString());
        engine.waitForEnd();
        QVERIFY(!engine.ended);
        QCOMPARE(engine.ended.error().message, message.toStdString());
    }

    void aMessageCutShortIsToldFromTheEnd()
    {
        ServedEngine engine;
        QVERIFY(engine.greet());
        engine.talk->sendBytes("PSc1");
        engine.hangUp();
        engine.waitForEnd();
        QCOMPARE(messageOf(engine.ended), std::string("the conversation ended: the last message was cut short"));
    }

private:
    /// Asks for a model whose code takes its time as it is loaded. Whether it has begun to.
    bool runsSlowCode(ServedEngine &engine) const
    {
        torch::jit::Module slow = emptyModule("Slow");
        slow.register_attribute("count", c10::IntType::get(), 3'000'000);
        slow.define("def __getstate__(self) -> int:\n    return self.count\n"
                    "def __setstate__(self, state: int) -> None:\n    print(state)\n    self.count = 0\n"
                    "    while self.count < state:\n        self.count += 1\n    self.training = False\n"
                    "def forward(self, x: Tensor) -> Tensor:\n    return x\n");
        report::InspectRequest load;
        load.model = save(slow, m_model.folder.filePath("slow.pt").toStdString());
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

    ServedModel m_model;
};

PIPESCOPE_TEST(TestEngineEnd)
#include "tst_engine_end.moc"

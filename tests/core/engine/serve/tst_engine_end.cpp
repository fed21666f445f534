#include "engine/serve/server.h"

#include "base/commit.h"
#include "core/engine/serve/served_engine.h"

#include "support/test_program.h"
#include <QTest>
#include <array>
#include <chrono>
#include <fcntl.h>
#include <optional>
#include <poll.h>
#include <string>
#include <unistd.h>

using namespace pipescope;
using namespace pipescope::tests;
using protocol::LoadCall;
using protocol::RunCall;

namespace {

/// The code of a model that an engine loads: it prints more to standard error than a pipe holds, and goes on only when
/// this goes. Until then nothing but giving up ends it.
class EndlessCode
{
public:
    EndlessCode(ServedEngine &engine, const ServedModel &model)
    {
        torch::jit::Module slow = emptyModule("Slow");
        slow.register_attribute("text", c10::StringType::get(), std::string(1 << 20, 'x'));
        slow.define("def __getstate__(self) -> str:\n    return self.text\n"
                    "def __setstate__(self, state: str) -> None:\n    print(state)\n"
                    "    self.text = state\n    self.training = False\n"
                    "def forward(self, x: Tensor) -> Tensor:\n    return x\n");
        report::InspectRequest load;
        load.model = save(slow, model.folder.filePath("slow.pt").toStdString());
        int printed[2] = {-1, -1};
        if (!engine.greet() || ::pipe2(printed, O_CLOEXEC) != 0)
            return;
        m_printed = printed[0];
        const int standardError = ::dup(STDERR_FILENO);
        ::dup2(printed[1], STDERR_FILENO);
        engine.talk->ask<LoadCall>(2, load);
        pollfd ready{m_printed, POLLIN, 0};
        m_isRunning = ::poll(&ready, 1, 60'000) == 1;
        ::dup2(standardError, STDERR_FILENO);
        ::close(printed[1]); // the code still writes to it
        ::close(standardError);
    }
    ~EndlessCode()
    {
        std::array<char, 65536> bytes{};
        while (m_printed >= 0 && ::read(m_printed, bytes.data(), bytes.size()) > 0) {
        }
        ::close(m_printed);
    }
    EndlessCode(const EndlessCode &) = delete;
    EndlessCode &operator=(const EndlessCode &) = delete;

    [[nodiscard]] bool isRunning() const { return m_isRunning; }

private:
    int m_printed = -1;
    bool m_isRunning = false;
};

} // namespace

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
        const EndlessCode code(engine, m_model);
        QVERIFY(code.isRunning());
        engine.hangUp();
        QTRY_VERIFY(engine.gaveUp);
    }

    /// As the stages on a slow disk: half of them would be worse than none.
    void filesThatAreBeingGivenTheirPlacesAreWaitedFor()
    {
        ServedEngine engine(std::chrono::milliseconds(1));
        const EndlessCode code(engine, m_model);
        QVERIFY(code.isRunning());
        std::optional<Commit> commit(std::in_place);
        const int putOff = endsPutOff();
        engine.hangUp();
        QTRY_VERIFY(endsPutOff() > putOff);
        QVERIFY(!engine.gaveUp);
        commit.reset();
        QTRY_VERIFY(engine.gaveUp); // nothing else is waited for
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
    ServedModel m_model;
};

PIPESCOPE_TEST(TestEngineEnd)
#include "tst_engine_end.moc"

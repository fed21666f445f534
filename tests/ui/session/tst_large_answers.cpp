#include "engine_table.h"
#include "session/engine_client.h"
#include "support/qt_warnings.h"
#include "support/test_program.h"

#include <QPointer>
#include <QTest>
#include <atomic>
#include <optional>
#include <semaphore>
#include <thread>

using namespace pipescope;
using namespace pipescope::session;
using State = EngineClient::State;

namespace {

/// An answer whose reading waits for as long as a test wants, on any thread.
struct SlowAnswer
{
    std::thread::id readBy;
};

struct SlowCall
{
    static constexpr std::string_view method = protocol::LoadCall::method;
    using Request = protocol::LoadCall::Request;
    using Answer = SlowAnswer;
};

std::atomic<int> slowBegun = 0;
std::atomic<int> slowEnded = 0;
std::binary_semaphore slowAllowed(0);

} // namespace

template <>
Result<SlowAnswer> pipescope::protocol::fromBody(std::string_view)
{
    ++slowBegun;
    slowAllowed.acquire();
    ++slowEnded;
    return SlowAnswer{std::this_thread::get_id()};
}

namespace {

/// A table whose engine has sent such an answer.
struct SlowTable : Table
{
    std::optional<std::thread::id> readBy;
    std::int64_t slow = 0;

    SlowTable()
    {
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

/// An engine's large answers, which the client reads beside the window.
class TestLargeAnswers : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        tests::failOnWarnings();
        slowBegun = 0;
        slowEnded = 0;
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

    void anEngineThatIsStoppedWhileItsLargeAnswerIsReadMakesRoomForAnother()
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

    void aRequestThatIsCancelledWhileItsLargeAnswerIsReadIsAnswered()
    {
        SlowTable table;
        QTRY_COMPARE(slowBegun.load(), 1);
        table.client.cancel(table.slow);
        table.engine.answer(table.engine.requests.back().id, protocol::CancelAnswer{false});
        slowAllowed.release();
        QTRY_COMPARE(table.outcomes, (std::vector<std::string>{"slow"}));
        QVERIFY(!table.client.isBusy());
    }

    void aClientThatGoesWaitsForTheReadingOfALargeAnswer()
    {
        FakeEngine engine;
        bool called = false;
        auto client = std::make_unique<EngineClient>([&] { return std::make_unique<FakeLink>(engine); });
        client->start();
        engine.greet();
        const std::int64_t id =
            client->ask<SlowCall>("loading", {}, [&](const Result<SlowAnswer> &) { called = true; });
        engine.say(protocol::Response{id, std::string(static_cast<std::size_t>(MessageReader::AtOnce), 'x')});
        QTRY_COMPARE(slowBegun.load(), 1);
        connect(engine.link, &QObject::destroyed, this, [] { slowAllowed.release(); }); // before the reader goes
        client.reset();
        QVERIFY(!engine.link);
        QCOMPARE(slowEnded.load(), 1);
        QCoreApplication::processEvents();
        QVERIFY(!called);
    }
};

PIPESCOPE_TEST(TestLargeAnswers)
#include "tst_large_answers.moc"

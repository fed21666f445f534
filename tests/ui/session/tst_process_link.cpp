#include "session/engine_client.h"
#include "session/process_link.h"

#include <QElapsedTimer>
#include <QSignalSpy>
#include <QtTest>

using namespace pipescope;
using namespace pipescope::session;
using State = EngineClient::State;

namespace {

std::unique_ptr<EngineClient> clientOf(const QStringList &command)
{
    return std::make_unique<EngineClient>([command] { return std::make_unique<ProcessLink>(command); });
}

} // namespace

/// Programs that are no engine, in the engine's place.
class TestProcessLink : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void whatGoesWrongIsToldInASentence_data()
    {
        QTest::addColumn<QStringList>("command");
        QTest::addColumn<QString>("reason");
        QTest::newRow("no such program") << QStringList{"/nowhere/pipescope-cli", "serve"}
                                         << "The engine is gone: '/nowhere/pipescope-cli' cannot be started: ";
        QTest::newRow("ends at once") << QStringList{"sh", "-c", "exit 3"}
                                      << "The engine is gone: it ended with exit code 3.";
        QTest::newRow("is killed") << QStringList{"sh", "-c", "kill -KILL $$"}
                                   << "The engine is gone: it was ended by signal 9.";
        QTest::newRow("prints")
            << QStringList{"sh", "-c", "echo Welcome to host; sleep 60"}
            << "The engine is gone: what arrived is no message of pipescope-cli: 'Welcome to host.'.";
        QTest::newRow("repeats what it is told")
            << QStringList{"cat"} << "The engine is gone: it asked something, which only the window does.";
    }

    void whatGoesWrongIsToldInASentence()
    {
        QFETCH(QStringList, command);
        QFETCH(QString, reason);
        const auto client = clientOf(command);
        client->start();
        QTRY_COMPARE(client->state(), State::Lost);
        QVERIFY2(client->lostBecause().startsWith(reason), qPrintable(client->lostBecause()));
    }

    void whatIsPrintedOnStandardErrorIsPassedOn()
    {
        const auto client = clientOf({"sh", "-c", "echo a warning >&2; exec sleep 60"});
        QSignalSpy printed(client.get(), &EngineClient::printed);
        client->start();
        QTRY_COMPARE(printed.size(), 1);
        QCOMPARE(printed[0][0].toString(), QString("a warning\n"));
        QCOMPARE(client->state(), State::Starting);
    }

    void anEngineThatNeverAnswersIsStopped()
    {
        const auto client = clientOf({"sleep", "60"});
        client->start();
        QTest::qWait(50);
        QCOMPARE(client->state(), State::Starting);
        client->stop();
        QCOMPARE(client->state(), State::Off);
    }

    void aClientThatGoesTakesItsEngineWithIt()
    {
        QElapsedTimer time;
        time.start();
        {
            const auto client = clientOf({"sleep", "60"});
            client->start();
            QTest::qWait(50);
        }
        QVERIFY(time.elapsed() < 4000);
    }
};

QTEST_GUILESS_MAIN(TestProcessLink)
#include "tst_process_link.moc"

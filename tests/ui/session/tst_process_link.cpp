#include "session/engine_client.h"
#include "session/process_link.h"

#include "support/qt_warnings.h"
#include "support/test_program.h"

#include <QEventLoop>
#include <QFile>
#include <QPointer>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>
#include <csignal>
#include <sys/types.h>

using namespace pipescope;
using namespace pipescope::session;
using State = EngineClient::State;

namespace {

std::unique_ptr<EngineClient> clientOf(const QStringList &command)
{
    return std::make_unique<EngineClient>([command] { return std::make_unique<ProcessLink>(command); });
}

const protocol::Response Hello{1, protocol::toBody(protocol::Welcome{})}; ///< to the greeting

void write(const QTemporaryDir &folder, const char *name, const protocol::Message &message, int times = 1)
{
    QFile file(folder.filePath(QString::fromLatin1(name)));
    QVERIFY(file.open(QIODevice::WriteOnly));
    const std::string frame = *protocol::frameOf(protocol::toBytes(message));
    for (int i = 0; i < times; ++i)
        file.write(frame.data(), static_cast<qint64>(frame.size()));
}

/// One that says who it is, needs its time once its input is closed, which ends `cat`, and then has written "files".
std::unique_ptr<EngineClient> clientOfASlowOne(const QTemporaryDir &folder)
{
    write(folder, "hello", Hello);
    return clientOf(
        {"sh", "-c", "cd $0; echo $$ >&2; cat hello; cat >/dev/null; sleep 0.3; echo >files", folder.path()});
}

/// The process that has printed its number.
pid_t processOf(const QSignalSpy &printed)
{
    return printed.at(0).at(0).toString().trimmed().toInt();
}

bool isThere(pid_t process)
{
    return ::kill(process, 0) == 0;
}

} // namespace

/// Programs that are no engine, in the engine's place.
class TestProcessLink : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { pipescope::tests::failOnWarnings(); }

    void whatGoesWrongIsToldInASentence_data()
    {
        QTest::addColumn<QStringList>("command");
        QTest::addColumn<QString>("reason");
        QTest::newRow("no such program") << QStringList{"/nowhere/pipescope-cli", "serve"}
                                         << "The engine could not be started: there is no program "
                                            "'/nowhere/pipescope-cli'. The command is: /nowhere/pipescope-cli serve. "
                                            "Install pipescope-cli there, or set another command in Edit > Settings";
        QTest::newRow("no such program on the path")
            << QStringList{"pipescope-cli-of-nobody", "a b"}
            << "The engine could not be started: there is no program 'pipescope-cli-of-nobody'. The command is: "
               "pipescope-cli-of-nobody \"a b\". ";
        QTest::newRow("no program") << QStringList{"/etc/passwd", "serve"}
                                    << "The engine could not be started: '/etc/passwd' is no program that may be run. ";
        QTest::newRow("missing on the other machine")
            << QStringList{"sh", "-c", "echo pipescope-cli: command not found >&2; exit 127"}
            << "The engine could not be started: it ended with exit code 127. The command is: sh -c ";
        QTest::newRow("ends at once") << QStringList{"sh", "-c", "exit 3"}
                                      << "The engine could not be started: it ended with exit code 3.";
        QTest::newRow("is killed") << QStringList{"sh", "-c", "kill -KILL $$"}
                                   << "The engine could not be started: it was ended by signal 9.";
        QTest::newRow("prints")
            << QStringList{"sh", "-c", "echo Welcome to host; sleep 60"}
            << "The engine could not be started: what arrived is no message of pipescope-cli: 'Welcome to host.'.";
        QTest::newRow("prints bytes")
            << QStringList{"sh", "-c", "head -c 100000 /dev/zero; sleep 60"}
            << "The engine could not be started: what arrived is no message of pipescope-cli: '";
        QTest::newRow("announces too much") << QStringList{"sh", "-c", "printf 'PSc1\\377\\377\\377\\377'; sleep 60"}
                                            << "The engine could not be started: a message of 4.00 GiB was announced; "
                                               "256 MiB is the most there may be.";
        QTest::newRow("sends no CBOR")
            << QStringList{"sh", "-c", "printf 'PSc1\\001\\000\\000\\000\\377'; sleep 60"}
            << "The engine could not be started: a message cannot be read: it is no CBOR at byte 1.";
        QTest::newRow("ends within a message") << QStringList{"sh", "-c", "printf 'PSc1\\001'"}
                                               << "The engine could not be started: it ended with exit code 0.";
        QTest::newRow("repeats what it is told")
            << QStringList{"cat"} << "The engine could not be started: it asked something, which only the window does.";
    }

    void whatGoesWrongIsToldInASentence()
    {
        QFETCH(QStringList, command);
        QFETCH(QString, reason);
        const auto client = clientOf(command);
        client->start();
        QTRY_COMPARE(client->state(), State::Lost);
        QVERIFY2(client->lostBecause().startsWith(reason), qPrintable(client->lostBecause()));
        QVERIFY(client->couldNotStart());
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
        const auto client = clientOf({"sh", "-c", "echo $$ >&2; exec sleep 60"});
        QSignalSpy printed(client.get(), &EngineClient::printed);
        client->start();
        QTRY_COMPARE(printed.size(), 1);
        QCOMPARE(client->state(), State::Starting);
        client->stop();
        QCOMPARE(client->state(), State::Off);
    }

    void anEngineThatIsKilledInTheMiddleAnswersWhatWasAsked()
    {
        const auto client = clientOf({"sh", "-c", "sleep 0.1; kill -KILL $$"});
        QString answer;
        client->ask<protocol::RunCall>("running decoder.pt", {}, [&](const Result<report::TracedRun> &report) {
            answer = report ? QStringLiteral("a report") : QString::fromStdString(report.error().message);
        });
        QTRY_COMPARE(client->state(), State::Lost);
        QVERIFY2(answer.startsWith("The engine could not be started: it was ended by signal 9. "), qPrintable(answer));
        QVERIFY(!client->isBusy());
        client->ask<protocol::LoadCall>("loading", {}, [](const Result<report::Inspection> &) {}); // and another starts
        QTRY_COMPARE(client->state(), State::Starting);
    }

    /// One that ignores the end of its input and the polite signals.
    void anEngineThatWillNotEndIsKilled()
    {
        const auto client = clientOf({"sh", "-c", "trap '' TERM HUP INT; echo $$ >&2; while :; do sleep 1; done"});
        QSignalSpy printed(client.get(), &EngineClient::printed);
        client->start();
        QTRY_COMPARE(printed.size(), 1);
        const pid_t process = processOf(printed);
        QVERIFY(process > 0);
        client->stop();
        QCOMPARE(client->state(), State::Off);
        QTRY_VERIFY(!isThere(process));
    }

    void anEngineThatClosesItsOutputIsWaitedForUntilItEnds()
    {
        const auto client = clientOf({"sh", "-c", "exec >&-; echo $$ >&2; cat >/dev/null; exit 7"});
        QSignalSpy printed(client.get(), &EngineClient::printed);
        client->start();
        QTRY_COMPARE(printed.size(), 1); // after it has closed its output
        QCoreApplication::processEvents();
        QCOMPARE(client->state(), State::Starting);
        client->stop();
        QCOMPARE(client->state(), State::Off);
    }

    /// A request larger than what a pipe holds, to a process that reads nothing: who waited for it would never end.
    void anEngineThatReadsNothingDoesNotHoldTheWindowUp()
    {
        const auto client = clientOf({"sleep", "100000"});
        client->start();
        report::RunRequest request;
        request.plan.splits.assign(200'000, "layers.0");
        bool isAnswered = false;
        client->ask<protocol::RunCall>("running", request,
                                       [&](const Result<report::TracedRun> &) { isAnswered = true; });
        client->stop();
        QVERIFY(isAnswered);
    }

    /// Both ways at full speed: the event loop goes on turning, and nothing is kept.
    void anEngineThatFloodsLeavesTheWindowFree()
    {
        const QTemporaryDir folder;
        write(folder, "hello", Hello);
        write(folder, "note",
              protocol::Notification{2, std::string(protocol::ProgressEvent),
                                     protocol::toBody(protocol::ProgressNote{"stage 1", 0.5})},
              1000);
        const auto client =
            clientOf({"sh", "-c", "cd $0; yes >&2 & cat hello; while cat note; do :; done; kill $!", folder.path()});
        int steps = 0;
        connect(client.get(), &EngineClient::progressed, this, [&steps] { ++steps; });
        client->start();
        client->ask<protocol::RunCall>("running", {}, [](const Result<report::TracedRun> &) {});
        int ticks = 0;
        QTimer ticking;
        connect(&ticking, &QTimer::timeout, this, [&ticks] { ++ticks; });
        ticking.start(10);
        QTRY_VERIFY(steps > 5000 && ticks > 10);
        QCOMPARE(client->state(), State::Ready);
        client->stop();
        QCOMPARE(client->state(), State::Off);
    }

    /// Who is told may ask the user something; when the process ends in that time, its link goes.
    void aLinkMayGoWhileWhatItSaidIsBeingHandled()
    {
        auto *link = new ProcessLink({"sh", "-c", "echo hello; sleep 0.05; exit 3"});
        const QPointer<ProcessLink> there(link);
        QEventLoop question;
        bool isAsked = false;
        connect(link, &EngineLink::received, this, [&] {
            isAsked = true;
            question.exec();
        });
        connect(link, &EngineLink::ended, this, [&] { link->deleteLater(); });
        connect(link, &QObject::destroyed, this, [&] { question.quit(); });
        link->start();
        QTRY_VERIFY(isAsked && !there);
    }

    void anEngineThatSavesIsLetFinishWhenItsClientGoes()
    {
        const QTemporaryDir folder;
        auto client = clientOfASlowOne(folder);
        client->start();
        QTRY_COMPARE(client->state(), State::Ready);
        client->ask<protocol::SplitCall>("saving", {}, [](const auto &) {});
        client.reset();
        QVERIFY(QFile::exists(folder.filePath("files")));
    }

    void anEngineThatRunsIsKilledWhenItsClientGoes()
    {
        const QTemporaryDir folder;
        auto client = clientOfASlowOne(folder);
        QSignalSpy printed(client.get(), &EngineClient::printed);
        client->start();
        QTRY_VERIFY(client->state() == State::Ready && printed.size() == 1);
        const pid_t process = processOf(printed);
        client->ask<protocol::RunCall>("running", {}, [](const auto &) {});
        client.reset();
        QVERIFY(!isThere(process));
        QVERIFY(!QFile::exists(folder.filePath("files"))); // and nobody is left to write it
    }

    void oneThatDoesNotEndIsWaitedForNoLongerThanSaidAndKilled()
    {
        auto link = std::make_unique<ProcessLink>(
            QStringList{"sh", "-c", "trap '' TERM HUP INT; echo $$ >&2; while :; do sleep 1; done"});
        QSignalSpy printed(link.get(), &EngineLink::printed);
        link->start();
        QTRY_COMPARE(printed.size(), 1);
        const pid_t process = processOf(printed);
        link->close();
        QVERIFY(!link->waitForEnd(std::chrono::milliseconds(50)));
        QVERIFY(isThere(process));
        link.reset();
        QVERIFY(!isThere(process));
    }

    void oneThatHasEndedIsNotWaitedFor()
    {
        ProcessLink link({"cat"});
        link.start();
        link.close();
        QVERIFY(link.waitForEnd(std::chrono::seconds(10)));
        QVERIFY(link.waitForEnd(std::chrono::seconds(10)));
    }

    void aClientThatGoesTakesItsEngineWithIt()
    {
        auto client = clientOf({"sh", "-c", "echo $$ >&2; exec sleep 100000"});
        QSignalSpy printed(client.get(), &EngineClient::printed);
        client->start();
        QTRY_COMPARE(printed.size(), 1);
        const pid_t process = processOf(printed);
        client.reset();
        QVERIFY(!isThere(process));
    }
};

PIPESCOPE_TEST(TestProcessLink)
#include "tst_process_link.moc"

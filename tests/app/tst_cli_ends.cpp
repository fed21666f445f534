// The program from outside, where it is told to end and where a file may not grow: what it says, and that nothing
// half-written is left.

#include "cli_call.h"
#include "core/engine/small_models.h"
#include "support/qt_warnings.h"
#include "support/test_program.h"

#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <sys/resource.h>

using namespace pipescope::tests;
using nlohmann::json;

class TestCliEnds : public QObject
{
    Q_OBJECT

    QTemporaryDir m_folder;

    QString saved(const torch::jit::Module &module, const char *name) const
    {
        const QString path = m_folder.filePath(QString::fromLatin1(name));
        save(module, path.toStdString());
        return path;
    }

    /// Whether the stages are being run: a rank's thread is named after it.
    static bool hasRankThreads(qint64 process)
    {
        QDirIterator threads(QStringLiteral("/proc/%1/task").arg(process), QDir::Dirs | QDir::NoDotAndDotDot);
        while (threads.hasNext()) {
            QFile name(threads.next() + QStringLiteral("/comm"));
            if (name.open(QIODevice::ReadOnly) && name.readAll().startsWith("rank "))
                return true;
        }
        return false;
    }

    static bool ignores(qint64 process, int signal)
    {
        QFile status(QStringLiteral("/proc/%1/status").arg(process));
        if (!status.open(QIODevice::ReadOnly))
            return false;
        for (const QByteArray &line : status.readAll().split('\n'))
            if (line.startsWith("SigIgn:"))
                return ((line.mid(7).trimmed().toULongLong(nullptr, 16) >> (signal - 1)) & 1U) != 0;
        return false;
    }

    /// A run that goes on for long, once its stages run. `ignored`: a signal that whoever starts it ignores; 0 for
    /// none.
    void startLongRun(QProcess &process, int ignored = 0) const
    {
        process.setChildProcessModifier([ignored] {
            for (const int signal : {SIGTERM, SIGINT, SIGHUP}) // whatever whoever runs the tests ignores
                std::signal(signal, signal == ignored ? SIG_IGN : SIG_DFL);
        });
        process.start(QStringLiteral(PIPESCOPE_CLI),
                      {"run", saved(chain(2, 512), "wide.pt"), "--input", "x=float32[4096,512]", "--split", "block1",
                       "--microbatches", "64", "--repeat", "100000", "--json"});
        QVERIFY(process.waitForStarted());
        QTRY_VERIFY_WITH_TIMEOUT(hasRankThreads(process.processId()), 60'000);
    }

    static void send(const QProcess &process, int signal) { ::kill(static_cast<pid_t>(process.processId()), signal); }

    static void verifyCancelled(QProcess &process)
    {
        QVERIFY(process.waitForFinished(30'000));
        QCOMPARE(process.exitStatus(), QProcess::NormalExit);
        QCOMPARE(process.exitCode(), 130);
        const json object = json::parse(process.readAllStandardOutput().toStdString(), nullptr, false);
        QCOMPARE(object.at("error").at("code"), json("cancelled"));
        QCOMPARE(object.at("error").at("message"), json("the run was cancelled"));
    }

private Q_SLOTS:
    void init() { failOnWarnings(); }

    void aSignalStopsTheWorkAndSaysSo_data()
    {
        QTest::addColumn<int>("signal");
        QTest::newRow("Ctrl-C") << SIGINT;
        QTest::newRow("kill") << SIGTERM;
        QTest::newRow("a closed terminal") << SIGHUP;
    }

    void aSignalStopsTheWorkAndSaysSo()
    {
        QFETCH(int, signal);
        QProcess process;
        startLongRun(process);
        send(process, signal);
        send(process, SIGHUP); // as a shell and the system both send it: the second one changes nothing
        verifyCancelled(process);
    }

    void aClosedTerminalIsNothingUnderNohup()
    {
        QProcess process;
        startLongRun(process, SIGHUP);
        send(process, SIGHUP);
        QVERIFY(ignores(process.processId(), SIGHUP)); // the system drops it
        send(process, SIGINT);
        verifyCancelled(process);
    }

    void aFileThatMayNotGrowIsSaidAndNothingIsLeft()
    {
        const QString model = saved(chain(4, 64), "chain.pt");
        const auto limited = [&](const QStringList &arguments) {
            QProcess process;
            process.setWorkingDirectory(m_folder.path());
            process.setChildProcessModifier([] {
                const rlimit few{4096, 4096};
                ::setrlimit(RLIMIT_FSIZE, &few);
                std::signal(SIGXFSZ, SIG_DFL); // whatever whoever runs the tests ignores
            });
            process.start(QStringLiteral(PIPESCOPE_CLI), arguments);
            process.waitForFinished(60'000);
            return qMakePair(process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -1,
                             QString::fromUtf8(process.readAllStandardError()));
        };
        const QString reason = QString::fromLatin1(std::strerror(EFBIG));
        const auto ran = limited({"run", model, "--input", "x=float32[64,64]", "--split", "block1,block2",
                                  "--microbatches", "16", "--trace", "t.json"});
        QCOMPARE(ran.second, QString("pipescope-cli: error: cannot write 't.json': %1\n").arg(reason));
        QCOMPARE(ran.first, 2);
        const auto split = limited({"split", model, "--split", "block1", "--out", "."});
        QCOMPARE(split.second, QString("pipescope-cli: error: cannot write './stage0.pt': %1\n").arg(reason));
        QCOMPARE(split.first, 2);
        QStringList left =
            QDir(m_folder.path()).entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot, QDir::Name);
        left.removeOne("wide.pt"); // of other tests
        QCOMPARE(left, QStringList{"chain.pt"});
    }
};

PIPESCOPE_TEST(TestCliEnds)
#include "tst_cli_ends.moc"

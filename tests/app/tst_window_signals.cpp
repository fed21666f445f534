#include "mainwindow/main_window.h"
#include "session/recovery.h"
#include "support/qt_warnings.h"
#include "support/torch/models.h"

#include <QDir>
#include <QElapsedTimer>
#include <QProcess>
#include <QSettings>
#include <QTemporaryDir>
#include <QtTest>
#include <csignal>

using namespace pipescope;

namespace {

constexpr int Long = 60'000;
constexpr int Soon = 10'000; // a busy machine's; else much less than a second

/// The program with a home of its own, a model, and a hand that changes the plan (support/hand).
struct Program
{
    QTemporaryDir folder;
    QProcess process;

    explicit Program(bool holds = false)
    {
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert("QT_QPA_PLATFORM", "offscreen");
        environment.insert("QT_PLUGIN_PATH", PIPESCOPE_HAND_FOLDER);
        environment.insert("QT_QPA_GENERIC_PLUGINS", "pipescope_test_hand");
        environment.insert("PIPESCOPE_TEST_HAND", folder.filePath("edited"));
        if (holds)
            environment.insert("PIPESCOPE_TEST_HAND_HOLDS", "1");
        environment.insert("XDG_RUNTIME_DIR", folder.path());
        for (const char *name : {"XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME"})
            environment.insert(name, folder.filePath("home"));
        process.setProcessEnvironment(environment);
        process.setWorkingDirectory(folder.path());
        process.setChildProcessModifier([] {
            for (const int signal : {SIGTERM, SIGINT, SIGHUP}) // whatever whoever runs the tests ignores
                std::signal(signal, SIG_DFL);
        });
        testing::transformerLike().save(folder.filePath("layers.pt").toStdString());
        process.start(QStringLiteral(PIPESCOPE_WINDOW_PROGRAM), {"layers.pt"});
    }
    ~Program()
    {
        process.kill();
        process.waitForFinished(Long);
    }
    [[nodiscard]] bool isEdited() const { return QFile::exists(folder.filePath("edited")); }
    void send(int signal) const { QCOMPARE(::kill(static_cast<pid_t>(process.processId()), signal), 0); }
    [[nodiscard]] QStringList kept() const
    {
        QStringList files;
        const QDir recovery(folder.filePath("home/pipescope/recovery"));
        for (const QString &name : recovery.entryList({"*.json"}))
            files << recovery.filePath(name);
        return files;
    }
};

} // namespace

/// The program pipescope ended from outside, as when a session ends.
class TestWindowSignals : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { tests::failOnWarnings(); }

    void changesAndTheLayoutAreKeptAndTheProgramEnds_data()
    {
        QTest::addColumn<int>("signal");
        QTest::addColumn<int>("exitCode");
        QTest::newRow("SIGTERM") << SIGTERM << 143;
        QTest::newRow("SIGINT") << SIGINT << 130;
        QTest::newRow("SIGHUP") << SIGHUP << 129;
    }

    void changesAndTheLayoutAreKeptAndTheProgramEnds()
    {
        QFETCH(int, signal);
        QFETCH(int, exitCode);
        Program program;
        QTRY_VERIFY_WITH_TIMEOUT(program.isEdited(), Long);
        program.send(signal);
        QVERIFY(program.process.waitForFinished(Soon));
        QCOMPARE(program.process.exitStatus(), QProcess::NormalExit);
        QCOMPARE(program.process.exitCode(), exitCode);
        QCOMPARE(program.kept().size(), 1);
        const auto recovered = session::readRecovery(program.kept().front());
        QVERIFY(recovered);
        QCOMPARE(recovered->plan.microbatches, 5);
        const QSettings settings(program.folder.filePath("home/pipescope/pipescope.conf"), QSettings::IniFormat);
        QWidget window;
        QVERIFY(window.restoreGeometry(settings.value(mainwindow::GeometryKey).toByteArray()));
        QCOMPARE(window.size(), QSize(1003, 702));
        QVERIFY(settings.childGroups().contains("layout"));
    }

    /// As where the program does not get to its event loop any more.
    void aSecondOneEndsItAtOnce()
    {
        Program program(true);
        QTRY_VERIFY_WITH_TIMEOUT(program.isEdited(), Long);
        program.send(SIGTERM);
        QVERIFY(!program.process.waitForFinished(200));
        program.send(SIGHUP); // sent with the first one where a session ends: there is time for what is kept
        QVERIFY(!program.process.waitForFinished(200));
        program.send(SIGINT);
        QVERIFY(program.process.waitForFinished(Soon));
        QCOMPARE(program.process.exitStatus(), QProcess::CrashExit);
        QCOMPARE(program.process.exitCode(), SIGINT);
    }
};

QTEST_MAIN(TestWindowSignals)
#include "tst_window_signals.moc"

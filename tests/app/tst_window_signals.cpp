#include "app/real_engine.h"
#include "mainwindow/main_window.h"
#include "plan/plan_file.h"
#include "session/recovery.h"
#include "style/theme.h"
#include "support/qt_warnings.h"
#include "support/test_program.h"
#include "support/torch/models.h"

#include <QDir>
#include <QFile>
#include <QProcess>
#include <QProcessEnvironment>
#include <QRegularExpression>
#include <QSettings>
#include <QTemporaryDir>
#include <QTest>
#include <QWidget>
#include <csignal>
#include <utility>
#include <vector>

using namespace pipescope;
using tests::Long;

namespace {

constexpr int Soon = 10'000; // a busy machine's; else much less than a second

using Variables = std::vector<std::pair<QString, QString>>; ///< of the environment, and what they are set to

/// The program with a home of its own, a model, and a hand that changes the plan (support/hand).
struct Program
{
    QTemporaryDir folder;
    QProcess process;

    explicit Program(bool holds = false)
        : Program(holds ? Variables{{"PIPESCOPE_TEST_HAND_HOLDS", "1"}} : Variables{}, {"layers.pt"})
    {
    }
    /// `set` has "%1" where the folder's path is to stand. `chosen` are the user's settings, as their file has them.
    Program(const Variables &set, const QStringList &arguments, const QByteArray &chosen = {})
    {
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert("QT_QPA_PLATFORM", "offscreen");
        environment.insert("QT_PLUGIN_PATH", PIPESCOPE_HAND_FOLDER);
        environment.insert("QT_QPA_GENERIC_PLUGINS", "pipescope_test_hand");
        environment.insert("PIPESCOPE_TEST_HAND", folder.filePath("done"));
        for (const auto &[name, value] : set)
            environment.insert(name, QString(value).replace("%1", folder.path()));
        environment.insert("XDG_RUNTIME_DIR", folder.path());
        for (const char *name : {"XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME"})
            environment.insert(name, folder.filePath("home"));
        process.setProcessEnvironment(environment);
        process.setWorkingDirectory(folder.path());
        process.setChildProcessModifier([] {
            for (const int signal : {SIGTERM, SIGINT, SIGHUP}) // whatever whoever runs the tests ignores
                std::signal(signal, SIG_DFL);
        });
        const std::string model = folder.filePath("layers.pt").toStdString();
        testing::transformerLike().save(model);
        plan::Plan split;
        split.model = model;
        split.splits = {"layers.2"};
        if (!plan::savePlan(split, model + ".json"))
            qFatal("no plan");
        QVERIFY(QDir(folder.path()).mkpath("out") && QDir(folder.path()).mkpath("home/pipescope"));
        QFile settings(folder.filePath("home/pipescope/pipescope.conf"));
        QVERIFY(settings.open(QIODevice::WriteOnly) && settings.write(chosen) == chosen.size());
        settings.close();
        process.start(QStringLiteral(PIPESCOPE_WINDOW_PROGRAM), arguments);
    }
    ~Program()
    {
        process.kill();
        process.waitForFinished(Long);
    }
    /// Once it has ended: without a file, and with a hand that only tells what it sees.
    void startAgain()
    {
        QVERIFY(QFile::remove(folder.filePath("done")));
        QProcessEnvironment environment = process.processEnvironment();
        environment.insert("PIPESCOPE_TEST_HAND_TELLS", "1");
        process.setProcessEnvironment(environment);
        process.start(QStringLiteral(PIPESCOPE_WINDOW_PROGRAM), QStringList());
    }
    /// What the hand tells: the ground's colour, then the notices.
    [[nodiscard]] QStringList seen() const
    {
        QFile told(folder.filePath("done"));
        return told.open(QIODevice::ReadOnly) ? QString::fromUtf8(told.readAll()).split('\n') : QStringList();
    }
    [[nodiscard]] bool isDone() const { return QFile::exists(folder.filePath("done")); }
    void send(int signal) const { QCOMPARE(::kill(static_cast<pid_t>(process.processId()), signal), 0); }
    /// Whether one that was sent is pending no longer: it has been handled, or has ended the program.
    [[nodiscard]] bool hasTaken(int signal) const
    {
        QFile status(QStringLiteral("/proc/%1/status").arg(process.processId()));
        static const QRegularExpression pending(QStringLiteral("^ShdPnd:\\s*([0-9a-f]+)$"),
                                                QRegularExpression::MultilineOption);
        const QString text = status.open(QIODevice::ReadOnly) ? QString::fromLatin1(status.readAll()) : QString();
        const auto match = pending.match(text);
        return !match.hasMatch() || ((match.captured(1).toULongLong(nullptr, 16) >> (signal - 1)) & 1U) == 0;
    }
    [[nodiscard]] QStringList kept() const
    {
        QStringList files;
        const QDir recovery(folder.filePath("home/pipescope/recovery"));
        for (const QString &name : recovery.entryList({"*.json"}))
            files << recovery.filePath(name);
        return files;
    }
};

/// Its hand saves the stages into the folder out. The files reach the disk once letSave() is called.
struct SavingProgram : Program
{
    explicit SavingProgram(const Variables &more = {})
        : Program(variables(more), {"--trust", "layers.pt.json"})
    {
    }
    static Variables variables(const Variables &more)
    {
        Variables all{{"LD_PRELOAD", PIPESCOPE_SLOW_DISK},
                      {"PIPESCOPE_TEST_SLOW_DISK", "%1/begun"},
                      {"PIPESCOPE_TEST_SLOW_DISK_UNTIL", "%1/go"},
                      {"PIPESCOPE_TEST_HAND_SAVES", "%1/out"}};
        all.insert(all.end(), more.begin(), more.end());
        return all;
    }
    [[nodiscard]] bool isSaving() const { return QFile::exists(folder.filePath("begun")); }
    void letSave() const { QVERIFY(QFile(folder.filePath("go")).open(QIODevice::WriteOnly)); }
    [[nodiscard]] QString saved() const
    {
        return QDir(folder.filePath("out")).entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot).join(' ');
    }
};

const QString Whole = QStringLiteral("plan.json stage0.pt stage1.pt stages.json");

} // namespace

/// The program pipescope as it is started, and ended from outside, as when a session ends.
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
        QTRY_VERIFY_WITH_TIMEOUT(program.isDone(), Long);
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

    void changesThatWereKeptAreOfferedAtTheNextStart_data()
    {
        QTest::addColumn<int>("signal");
        QTest::newRow("SIGTERM") << SIGTERM;
        QTest::newRow("SIGKILL") << SIGKILL; // as a crash
    }

    void changesThatWereKeptAreOfferedAtTheNextStart()
    {
        QFETCH(int, signal);
        Program program(Variables{}, {"layers.pt"}, "[files]\nautosaveSeconds=1\n");
        QTRY_VERIFY_WITH_TIMEOUT(program.isDone(), Long);
        if (signal == SIGKILL)
            QTRY_COMPARE_WITH_TIMEOUT(program.kept().size(), 1, Soon);
        program.send(signal);
        QVERIFY(program.process.waitForFinished(Soon));
        program.startAgain();
        const QString offer = "Changes to " + program.folder.filePath("layers.pt") +
                              " were not saved when Pipescope ended. They are kept from ";
        QTRY_VERIFY2_WITH_TIMEOUT(program.seen().value(1).startsWith(offer), qPrintable(program.seen().join('\n')),
                                  Long);
    }

    void theWindowIsInTheThemeThatWasChosen_data()
    {
        QTest::addColumn<QByteArray>("chosen");
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QString>("desktop");
        QTest::addColumn<QString>("ground");
        const QString dark = style::Theme::dark().colour(style::Token::Window).name();
        const QString light = style::Theme::light().colour(style::Token::Window).name();
        const QByteArray theme("[window]\ntheme=");
        QTest::newRow("none, the desktop is light") << QByteArray() << QStringList() << "light" << light;
        QTest::newRow("none, the desktop turns dark") << QByteArray() << QStringList() << "dark" << dark;
        QTest::newRow("dark") << theme + "dark\n" << QStringList() << "light" << dark;
        QTest::newRow("light") << theme + "light\n" << QStringList() << "dark" << light;
        QTest::newRow("for this once") << QByteArray() << QStringList{"--theme", "light"} << "dark" << light;
    }

    void theWindowIsInTheThemeThatWasChosen()
    {
        QFETCH(QByteArray, chosen);
        QFETCH(QStringList, arguments);
        QFETCH(QString, desktop);
        QFETCH(QString, ground);
        const Program program({{"PIPESCOPE_TEST_HAND_TELLS", desktop}}, arguments, chosen);
        QTRY_COMPARE_WITH_TIMEOUT(program.seen().value(0), ground, Long);
    }

    void stagesThatAreGivenTheirPlacesGetThemBeforeTheProgramEnds_data()
    {
        QTest::addColumn<bool>("isClosed");
        QTest::addColumn<int>("exitCode");
        QTest::newRow("SIGTERM") << false << 143;
        QTest::newRow("the window is closed") << true << 0;
    }

    void stagesThatAreGivenTheirPlacesGetThemBeforeTheProgramEnds()
    {
        QFETCH(bool, isClosed);
        QFETCH(int, exitCode);
        SavingProgram program(isClosed ? Variables{{"PIPESCOPE_TEST_HAND_CLOSES_AT", "%1/begun"}} : Variables{});
        QTRY_VERIFY_WITH_TIMEOUT(program.isSaving(), Long);
        if (!isClosed)
            program.send(SIGTERM);
        QTRY_VERIFY(program.isDone()); // the window is hidden
        QVERIFY(program.saved() != Whole);
        program.letSave();
        QVERIFY(program.process.waitForFinished(Soon));
        QCOMPARE(program.process.exitStatus(), QProcess::NormalExit);
        QCOMPARE(program.process.exitCode(), exitCode);
        QCOMPARE(program.saved(), Whole);
    }

    void anEngineThatSavesForeverIsKilledWhenTheProgramEnds()
    {
        SavingProgram program;
        QTRY_VERIFY_WITH_TIMEOUT(program.isSaving(), Long);
        static const QRegularExpression writing("^[.]writing-(\\d+)-");
        const pid_t engine = writing.match(program.saved()).captured(1).toInt();
        QVERIFY2(engine > 0 && ::kill(engine, 0) == 0, qPrintable(program.saved()));
        program.send(SIGTERM);
        QVERIFY(program.process.waitForFinished(Soon)); // after it has waited: tst_engine_client
        QCOMPARE(program.process.exitCode(), 143);
        QTRY_VERIFY(::kill(engine, 0) != 0);
    }

    /// As where the program does not get to its event loop any more.
    void aSecondOneEndsItAtOnce()
    {
        Program program(true);
        QTRY_VERIFY_WITH_TIMEOUT(program.isDone(), Long);
        program.send(SIGTERM);
        QTRY_VERIFY(program.hasTaken(SIGTERM));
        program.send(SIGHUP); // sent with the first one where a session ends: there is time for what is kept
        QTRY_VERIFY(program.hasTaken(SIGHUP));
        program.send(SIGINT);
        QVERIFY(program.process.waitForFinished(Soon));
        QCOMPARE(program.process.exitStatus(), QProcess::CrashExit);
        QCOMPARE(program.process.exitCode(), SIGINT); // and neither of those before
    }
};

PIPESCOPE_WIDGET_TEST(TestWindowSignals)
#include "tst_window_signals.moc"

#include "app/real_engine.h"
#include "plan/plan_file.h"
#include "protocol/bodies.h"
#include "protocol/frame.h"
#include "protocol/message.h"
#include "session/engine_command.h"
#include "style/theme.h"
#include "support/qt_warnings.h"
#include "support/test_program.h"
#include "support/torch/models.h"
#include "support/trace_builder.h"
#include "trace/chrome_trace.h"

#include <QColor>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QImage>
#include <QProcess>
#include <QProcessEnvironment>
#include <QRegularExpression>
#include <QSettings>
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <sys/resource.h>
#include <sys/stat.h>

using namespace pipescope;
using tests::Long;

namespace {

QByteArray contents(const QString &path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

/// How many rows of pixels have so many stretches of one colour, of a dozen pixels or more.
int rowsOf(int stretches, const QImage &picture, const QColor &colour)
{
    constexpr int least = 12;
    int rows = 0;
    for (int y = 0; y < picture.height(); ++y) {
        int found = 0;
        for (int x = 0, length = 0; x < picture.width(); ++x) {
            length = picture.pixel(x, y) == colour.rgb() ? length + 1 : 0;
            found += length == least ? 1 : 0;
        }
        rows += found == stretches ? 1 : 0;
    }
    return rows;
}

/// Edges from dark to light in the middle of two pixels by two: a picture blown up to twice its size has none.
int edgesWithinPairs(const QImage &picture)
{
    const auto isEdge = [&](int x, int y, int toX, int toY) {
        return std::abs(qGray(picture.pixel(x, y)) - qGray(picture.pixel(toX, toY))) > 140;
    };
    int edges = 0;
    for (int y = 0; y + 1 < picture.height(); y += 2)
        for (int x = 0; x + 1 < picture.width(); x += 2)
            edges += (isEdge(x, y, x + 1, y) ? 1 : 0) + (isEdge(x, y, x, y + 1) ? 1 : 0);
    return edges;
}

/// The program as a user starts it, with a home of its own.
struct StartedProgram
{
    QTemporaryDir folder;
    QProcess process;
    int exitCode = -1;
    QString err;

    StartedProgram()
    {
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert("QT_QPA_PLATFORM", "offscreen");
        environment.insert("XDG_RUNTIME_DIR", folder.path());
        for (const char *name : {"XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME"})
            environment.insert(name, folder.filePath("home"));
        process.setProcessEnvironment(environment);
        process.setWorkingDirectory(folder.path());
        testing::transformerLike().save(folder.filePath("layers.pt").toStdString());
    }
    ~StartedProgram()
    {
        process.kill();
        process.waitForFinished(Long);
    }
    void write(const char *name, const QByteArray &bytes) const
    {
        QFile file(folder.filePath(name));
        QVERIFY(file.open(QIODevice::WriteOnly));
        QCOMPARE(file.write(bytes), bytes.size());
    }
    void set(const char *variable, const char *value)
    {
        QProcessEnvironment environment = process.processEnvironment();
        environment.insert(variable, value);
        process.setProcessEnvironment(environment);
    }
    void start(const QStringList &arguments)
    {
        process.start(QStringLiteral(PIPESCOPE_WINDOW_PROGRAM), arguments);
        QVERIFY(process.waitForStarted(Long));
    }
    void call(const QStringList &arguments)
    {
        start(arguments);
        QVERIFY(process.waitForFinished(Long));
        exitCode = process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -process.exitCode();
        err = QString::fromUtf8(process.readAllStandardError());
    }
    /// From here on what the window asks the engine is written down.
    void listen() const
    {
        write("engine.sh", QByteArray("tee '" + folder.path().toUtf8() + "/asked' | '" PIPESCOPE_CLI "' serve\n"));
        QSettings settings(folder.filePath("home/pipescope/pipescope.conf"), QSettings::IniFormat);
        settings.setValue(session::EngineCommandKey, "sh " + folder.filePath("engine.sh"));
    }
    /// Of each look at a model that was asked for, whether the file was only to be read.
    [[nodiscard]] QList<bool> onlyRead() const
    {
        protocol::FrameReader reader;
        reader.feed(contents(folder.filePath("asked")).toStdString());
        QList<bool> looks;
        for (auto frame = reader.next(); frame && *frame; frame = reader.next()) {
            const auto message = protocol::messageFrom(**frame);
            if (const auto *request = message ? std::get_if<protocol::Request>(&*message) : nullptr;
                request != nullptr && request->method == "load")
                looks << protocol::fromBody<report::InspectRequest>(request->body)->structureOnly;
        }
        return looks;
    }
};

} // namespace

/// The program pipescope from outside: its command line, its exit codes, pictures, trust.
class TestWindowProgram : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { tests::failOnWarnings(); }

    void whatTheCommandLineAsksWronglyIsSaidAndEndsWith2_data()
    {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QString>("said");
        const QStringList picture{"--screenshot", "x.png"};
        QTest::newRow("option") << QStringList{"--nosuch"} << "Unknown option 'nosuch'.";
        QTest::newRow("no value") << QStringList{"--screenshot"} << "Missing value after '--screenshot'.";
        QTest::newRow("two files") << QStringList{"a.pt", "b.pt"} << "one FILE at a time, not 2";
        QTest::newRow("no file") << picture << "--screenshot needs a FILE";
        QTest::newRow("trust in nothing") << QStringList{"--trust"} << "--trust needs a FILE";
        QTest::newRow("no picture") << QStringList{"--screenshot", "", "layers.pt"}
                                    << "expected a file that ends in .png, not ''";
        QTest::newRow("kind") << QStringList{"--screenshot", "x.xyz", "layers.pt"} << "ends in .png, not 'x.xyz'";
        QTest::newRow("size") << QStringList{"--size", "large"} << "--size: expected a size like 1280x800, ";
        QTest::newRow("no size") << QStringList{"--size", "0x800"} << "not '0x800'";
        QTest::newRow("side") << QStringList{"--size", "99999x1"} << "of at most 16384 each way and 64 million pixels";
        QTest::newRow("area") << QStringList{"--size", "16384x16384"} << "not '16384x16384'";
        QTest::newRow("smaller than the window")
            << picture + QStringList{"--size", "1x1", "layers.pt"} << "--size: the window needs at least ";
        QTest::newRow("no theme") << QStringList{"--theme", ""} << "--theme: expected dark or light, not ''";
        QTest::newRow("no name") << QStringList{""} << "FILE: expected the name of a file, not ''";
        QTest::newRow("perspective") << QStringList{"--perspective", "timeline"}
                                     << "expected Split, Timeline or Shards, not 'timeline'";
        QTest::newRow("overlay") << QStringList{"--overlay", "Params"}
                                 << "--overlay: expected Stages, Time, Memory or Parameters, not 'Params'";
        QTest::newRow("theme") << QStringList{"--theme", "grey"} << "--theme: expected dark or light, not 'grey'";
        QTest::newRow("missing") << picture + QStringList{"nosuch"} << "there is no file 'nosuch'";
        QTest::newRow("folder") << picture + QStringList{"folder"} << "cannot read 'folder': it is a folder";
        QTest::newRow("commands of a terminal")
            << picture + QStringList{"a\n\x1b[31m.pt"} << "there is no file 'a\\n\\x1b[31m.pt'\n";
        QTest::newRow("device") << picture + QStringList{"/dev/zero"}
                                << "cannot read '/dev/zero': it is not a regular file";
        QTest::newRow("standard input") << picture + QStringList{"-"} << "there is no file '-'";
        QTest::newRow("no model") << picture + QStringList{"gone.json"} << "gone.pt'";
        QTest::newRow("damaged") << picture + QStringList{"damaged.pt"} << "damaged.pt";
    }

    void whatTheCommandLineAsksWronglyIsSaidAndEndsWith2()
    {
        QFETCH(QStringList, arguments);
        QFETCH(QString, said);
        StartedProgram program;
        QVERIFY(QDir(program.folder.path()).mkdir("folder"));
        program.write("gone.json", R"({"pipescopePlan": 1, "model": "gone.pt"})");
        program.write("damaged.pt", "PK\x03\x04 and no more");
        program.call(arguments);
        QCOMPARE(program.exitCode, 2);
        QVERIFY2(program.err.startsWith("pipescope: error: ") && program.err.contains(said), qPrintable(program.err));
        QCOMPARE(program.err.count('\n'), 1);
        QVERIFY(!QFile::exists(program.folder.filePath("x.png")));
    }

    void aNameThatIsNotUtf8IsSaidToBeSo()
    {
        StartedProgram program;
        // QProcess makes UTF-8 of every argument.
        program.process.start("sh", {"-c", "exec \"$0\" \"$(printf 'b\\377d.pt')\"", PIPESCOPE_WINDOW_PROGRAM});
        QVERIFY(program.process.waitForFinished(Long));
        QCOMPARE(program.process.exitCode(), 2);
        QCOMPARE(
            program.process.readAllStandardError(),
            QByteArray("pipescope: error: 'b\\xffd.pt' is not UTF-8, which a plan cannot hold; give the file another "
                       "name\n"));
    }

    void helpAndVersionNeedNoDisplay()
    {
        StartedProgram program;
        QProcessEnvironment environment = program.process.processEnvironment();
        environment.insert("QT_QPA_PLATFORM", "xcb");
        environment.remove("DISPLAY");
        environment.remove("WAYLAND_DISPLAY");
        program.process.setProcessEnvironment(environment);
        program.call({"--help"});
        QVERIFY2(program.exitCode == 0, qPrintable(program.err));
        QVERIFY(program.process.readAllStandardOutput().contains("--screenshot"));
        program.call({"--version"});
        QVERIFY2(program.exitCode == 0, qPrintable(program.err));
        QVERIFY(program.process.readAllStandardOutput().startsWith("pipescope "));
    }

    void aPictureHasTheSizeThatWasAskedFor()
    {
        StartedProgram program;
        program.call({"--screenshot", "x.png", "--size", "900x600", "--theme", "light", "layers.pt"});
        QVERIFY2(program.exitCode == 0, qPrintable(program.err));
        QCOMPARE(program.err, QString());
        QCOMPARE(QImage(program.folder.filePath("x.png")).size(), QSize(900, 600));
    }

    void aPictureIsDrawnBesideTheScreen()
    {
        StartedProgram program;
        QProcessEnvironment environment = program.process.processEnvironment();
        environment.remove("QT_QPA_PLATFORM");
        environment.insert("DISPLAY", ":98765"); // there is none: whoever asks for it fails
        environment.remove("WAYLAND_DISPLAY");
        program.process.setProcessEnvironment(environment);
        program.call({"--screenshot", "x.png", "--size", "900x600", "--structure-only", "layers.pt"});
        QVERIFY2(program.exitCode == 0, qPrintable(program.err));
        QCOMPARE(QImage(program.folder.filePath("x.png")).size(), QSize(900, 600));
    }

    void theLeastSizeThatIsToldIsEnough()
    {
        StartedProgram program;
        const QStringList arguments{"--screenshot", "x.png", "--structure-only", "layers.pt", "--size"};
        program.call(arguments + QStringList{"1x2000"});
        QCOMPARE(program.exitCode, 2);
        const auto told = QRegularExpression("needs at least (\\d+x\\d+) here, not 1x2000\n$").match(program.err);
        QVERIFY2(told.hasMatch(), qPrintable(program.err));
        program.call(arguments + QStringList{told.captured(1)});
        QVERIFY2(program.exitCode == 0, qPrintable(program.err));
    }

    void aWindowThatGetsAnotherSizeIsNotDrawn()
    {
        StartedProgram program;
        program.set("QT_PLUGIN_PATH", PIPESCOPE_HAND_FOLDER);
        program.set("QT_QPA_GENERIC_PLUGINS", "pipescope_test_hand");
        program.set("PIPESCOPE_TEST_HAND_TILES", "1");
        program.call({"--screenshot", "x.png", "--size", "1100x800", "--structure-only", "layers.pt"});
        QCOMPARE(program.exitCode, 2);
        QCOMPARE(program.err, QString("pipescope: error: --size: on this screen the window is 1003x702 and not "
                                      "1100x800, as a window manager may have it; with QT_QPA_PLATFORM=offscreen it "
                                      "is as asked\n"));
        QVERIFY(!QFile::exists(program.folder.filePath("x.png")));
    }

    void aPictureIsDrawnAtTheDensityOfTheScreen_data()
    {
        QTest::addColumn<QStringList>("shown");
        QTest::addColumn<QRect>("canvas"); // most of it, at a scale of 1
        QTest::newRow("graph") << QStringList{"--structure-only", "layers.pt"} << QRect(320, 160, 480, 360);
        QTest::newRow("timeline") << QStringList{"trace.json"} << QRect(160, 112, 730, 432);
    }

    void aPictureIsDrawnAtTheDensityOfTheScreen()
    {
        QFETCH(QStringList, shown);
        QFETCH(QRect, canvas);
        const auto picture = [&](const char *factor) {
            StartedProgram program;
            program.write("trace.json", QByteArray::fromStdString(trace::toChromeJson(tests::evenForward(4, 4, 1000))));
            program.set("QT_SCALE_FACTOR", factor);
            program.call(QStringList{"--screenshot", "x.png", "--size", "1280x800", "--theme", "light"} + shown);
            return QImage(program.folder.filePath("x.png")).convertToFormat(QImage::Format_RGB32);
        };
        const QImage once = picture("1");
        QCOMPARE(once.size(), QSize(1280, 800));
        const QImage twice = picture("2");
        QCOMPARE(twice.size(), QSize(2560, 1600));
        const QColor ground = style::Theme::light().colour(style::Token::Canvas);
        for (const QPoint corner : {canvas.topLeft(), canvas.topRight(), canvas.bottomLeft(), canvas.bottomRight()})
            QCOMPARE(once.pixelColor(corner), ground);
        for (const auto mode : {Qt::FastTransformation, Qt::SmoothTransformation})
            QCOMPARE(edgesWithinPairs(once.scaled(twice.size(), Qt::IgnoreAspectRatio, mode)), 0);
        const int inCanvas = edgesWithinPairs(twice.copy(QRect(2 * canvas.topLeft(), 2 * canvas.size())));
        const int around = edgesWithinPairs(twice) - inCanvas;
        QVERIFY2(inCanvas > 20 && around > 200, qPrintable(QString("%1 and %2").arg(inCanvas).arg(around)));
    }

    void aPictureIsNotLargerThanItMayBeAtTheDensityOfTheScreen()
    {
        StartedProgram program;
        program.set("QT_SCALE_FACTOR", "10");
        program.call({"--screenshot", "x.png", "--size", "1280x800", "--structure-only", "layers.pt"});
        QCOMPARE(program.exitCode, 2);
        QCOMPARE(program.err,
                 QString("pipescope: error: --size: 1280x800 is 12800x8000 pixels at a scale factor of 10; "
                         "a picture has at most 16384 each way and 64 million\n"));
    }

    void aPictureOfTheTimelineIsOfARun_data()
    {
        QTest::addColumn<QString>("theme");
        QTest::newRow("dark") << "dark";
        QTest::newRow("light") << "light";
    }

    void aPictureOfTheTimelineIsOfARun()
    {
        QFETCH(QString, theme);
        StartedProgram program;
        testing::transformerLike(256).save(program.folder.filePath("wide.pt").toStdString());
        plan::Plan plan;
        plan.model = program.folder.filePath("wide.pt").toStdString();
        plan.inputs = {*plan::parseInputSpec("float32[2048,256]")};
        plan.splits = {"layers.4"};
        plan.microbatches = 4;
        QVERIFY(plan::savePlan(plan, program.folder.filePath("plan.json").toStdString()));
        program.call({"--screenshot", "x.png", "--perspective", "Timeline", "--theme", theme, "plan.json"});
        QVERIFY2(program.exitCode == 0, qPrintable(program.err));
        QCOMPARE(program.err, QString());
        verifyBars(QImage(program.folder.filePath("x.png")), theme, 2);
    }

    void aPictureOfATraceNeedsNoModel_data() { aPictureOfTheTimelineIsOfARun_data(); }

    void aPictureOfATraceNeedsNoModel()
    {
        QFETCH(QString, theme);
        StartedProgram program;
        QVERIFY(QFile::remove(program.folder.filePath("layers.pt")));
        program.write("trace.json", QByteArray::fromStdString(trace::toChromeJson(tests::evenForward(4, 4, 1000))));
        program.call({"--screenshot", "x.png", "--theme", theme, "trace.json"});
        QVERIFY2(program.exitCode == 0, qPrintable(program.err));
        QCOMPARE(program.err, QString());
        verifyBars(QImage(program.folder.filePath("x.png")), theme, 4);
    }

    void aPictureShowsTheOverlayThatWasAskedFor()
    {
        StartedProgram program;
        const auto legend = [&](const QString &overlay) { // the row below the graph, where its unit stands
            const QString name = overlay + ".png";
            program.call({"--screenshot", name, "--overlay", overlay, "layers.pt"});
            const QImage picture(program.folder.filePath(name));
            return program.exitCode == 0
                       ? picture.copy(0, picture.height() / 2, picture.width() / 2, picture.height() / 2)
                       : QImage();
        };
        const QImage time = legend("Time");
        QVERIFY2(!time.isNull(), qPrintable(program.err));
        QVERIFY(time != legend("Parameters"));
        QVERIFY(time == legend("Time"));
    }

    void aPictureThatCannotBeWrittenIsSaidAndWhatWasThereStays()
    {
        StartedProgram program;
        QVERIFY(QDir(program.folder.path()).mkdir("folder.png"));
        program.call({"--screenshot", "folder.png", "layers.pt"});
        QCOMPARE(program.exitCode, 2);
        QCOMPARE(program.err, QString("pipescope: error: cannot write 'folder.png': it is not a regular file\n"));
        program.call({"--screenshot", "nowhere/x.png", "layers.pt"});
        QCOMPARE(program.exitCode, 2);
        QCOMPARE(program.err,
                 QString("pipescope: error: cannot write 'nowhere/x.png': %1\n").arg(std::strerror(ENOENT)));

        // As where the disk is full: no file may grow beyond some bytes.
        program.write("old.png", "old");
        program.process.setChildProcessModifier([] {
            const rlimit few{4096, 4096};
            ::setrlimit(RLIMIT_FSIZE, &few);
            ::signal(SIGXFSZ, SIG_DFL); // whatever whoever runs the tests ignores
        });
        program.call({"--screenshot", "old.png", "layers.pt"});
        QCOMPARE(program.exitCode, 2);
        QCOMPARE(program.err, QString("pipescope: error: cannot write 'old.png': %1\n").arg(std::strerror(EFBIG)));
        QCOMPARE(contents(program.folder.filePath("old.png")), QByteArray("old"));
        QCOMPARE(QDir(program.folder.path()).entryList({"*.part"}).size(), 0);
    }

    void settingsThatAreNoFileAreSaidAndNotWaitedFor_data()
    {
        QTest::addColumn<QString>("path");
        QTest::newRow("of the program") << "home/pipescope/pipescope.conf";
        QTest::newRow("of its makers") << "home/pipescope.conf";
    }

    void settingsThatAreNoFileAreSaidAndNotWaitedFor()
    {
        QFETCH(QString, path);
        StartedProgram program;
        const QString file = program.folder.filePath(path);
        QVERIFY(QDir().mkpath(QFileInfo(file).path()));
        QCOMPARE(::mkfifo(file.toLocal8Bit().constData(), 0600), 0);
        program.call({"--screenshot", "x.png", "--structure-only", "layers.pt"});
        QVERIFY2(program.exitCode == 0, qPrintable(program.err));
        QCOMPARE(program.err,
                 QString("pipescope: warning: '%1' is not a regular file: the settings are those of a first start, and "
                         "what is changed is not kept\n")
                     .arg(file));
        QVERIFY(QFile::exists(program.folder.filePath("x.png")));
    }

    void aFileIsLoadedWhereTheCommandLineTrustsIt()
    {
        StartedProgram program;
        program.listen();
        program.start({"--trust", "layers.pt"});
        QTRY_COMPARE_WITH_TIMEOUT(program.onlyRead(), (QList<bool>{true, false}), Long);
    }

    void aFileIsOnlyReadWhereNobodyTrustsIt()
    {
        StartedProgram program;
        program.listen();
        program.call({"--quit-after-first-paint", "layers.pt"});
        QVERIFY2(program.exitCode == 0, qPrintable(program.err));
        QCOMPARE(program.onlyRead(), QList<bool>{true});
    }

private:
    /// Of four microbatches beside each other in each stage's colour; elsewhere a stage's marks are fewer.
    static void verifyBars(const QImage &picture, const QString &theme, int stages)
    {
        QCOMPARE(picture.size(), QSize(1280, 800));
        const style::Theme &colours = theme == "dark" ? style::Theme::dark() : style::Theme::light();
        for (int stage = 0; stage < stages; ++stage) {
            const int rows = rowsOf(4, picture, colours.colour(StageId{stage})); // above and below their labels
            QVERIFY2(rows >= 4, qPrintable(QString("stage %1: %2 rows of 4 bars").arg(stage).arg(rows)));
        }
    }
};

PIPESCOPE_TEST(TestWindowProgram)
#include "tst_window_program.moc"

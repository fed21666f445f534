#include "protocol/bodies.h"
#include "protocol/frame.h"
#include "protocol/message.h"
#include "session/engine_command.h"
#include "support/torch/models.h"

#include <QDir>
#include <QImage>
#include <QProcess>
#include <QSettings>
#include <QTemporaryDir>
#include <QtTest>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <sys/resource.h>

using namespace pipescope;

namespace {

constexpr int Long = 60'000;

QByteArray contents(const QString &path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

/// The program as a user starts it, with a home of its own.
struct Program
{
    QTemporaryDir folder;
    QProcess process;
    int exitCode = -1;
    QString err;

    Program()
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
    ~Program()
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
        QTest::newRow("perspective") << QStringList{"--perspective", "timeline"}
                                     << "expected Split or Timeline, not 'timeline'";
        QTest::newRow("overlay") << QStringList{"--overlay", "Params"}
                                 << "--overlay: expected Stages, Time, Memory or Parameters, not 'Params'";
        QTest::newRow("theme") << QStringList{"--theme", "grey"} << "--theme: expected dark or light, not 'grey'";
        QTest::newRow("missing") << picture + QStringList{"nosuch"} << "there is no file 'nosuch'";
        QTest::newRow("folder") << picture + QStringList{"folder"} << "cannot read 'folder': it is a folder";
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
        Program program;
        QVERIFY(QDir(program.folder.path()).mkdir("folder"));
        program.write("gone.json", R"({"pipescopePlan": 1, "model": "gone.pt"})");
        program.write("damaged.pt", "PK\x03\x04 and no more");
        program.call(arguments);
        QCOMPARE(program.exitCode, 2);
        QVERIFY2(program.err.startsWith("pipescope: error: ") && program.err.contains(said), qPrintable(program.err));
        QCOMPARE(program.err.count('\n'), 1);
        QVERIFY(!QFile::exists(program.folder.filePath("x.png")));
    }

    void aPictureHasTheSizeThatWasAskedFor()
    {
        Program program;
        program.call({"--screenshot", "x.png", "--size", "900x600", "--theme", "light", "layers.pt"});
        QVERIFY2(program.exitCode == 0, qPrintable(program.err));
        QCOMPARE(program.err, QString());
        QCOMPARE(QImage(program.folder.filePath("x.png")).size(), QSize(900, 600));
    }

    void aPictureShowsTheOverlayThatWasAskedFor()
    {
        Program program;
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
        Program program;
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
            ::signal(SIGXFSZ, SIG_IGN);
        });
        program.call({"--screenshot", "old.png", "layers.pt"});
        QCOMPARE(program.exitCode, 2);
        QCOMPARE(program.err, QString("pipescope: error: cannot write 'old.png': %1\n").arg(std::strerror(EFBIG)));
        QCOMPARE(contents(program.folder.filePath("old.png")), QByteArray("old"));
        QCOMPARE(QDir(program.folder.path()).entryList({"*.part"}).size(), 0);
    }

    void aFileIsLoadedWhereTheCommandLineTrustsIt()
    {
        Program program;
        program.listen();
        program.start({"--trust", "layers.pt"});
        QTRY_COMPARE_WITH_TIMEOUT(program.onlyRead(), (QList<bool>{true, false}), Long);
    }

    void aFileIsOnlyReadWhereNobodyTrustsIt()
    {
        Program program;
        program.listen();
        program.call({"--quit-after-first-paint", "layers.pt"});
        QVERIFY2(program.exitCode == 0, qPrintable(program.err));
        QCOMPARE(program.onlyRead(), QList<bool>{true});
    }
};

QTEST_GUILESS_MAIN(TestWindowProgram)
#include "tst_window_program.moc"

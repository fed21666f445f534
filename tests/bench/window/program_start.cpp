#include "window_bench.h"

#include "samples.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QProcess>
#include <QTemporaryDir>

namespace pipescope::bench {

namespace {

constexpr int Repeats = 7;

/// Seconds from starting the program until it says that it has painted; the median, after one warm-up.
Result<double> secondsToPicture(const QStringList &arguments)
{
    const QString program = QDir(QCoreApplication::applicationDirPath()).filePath("pipescope");
    const QTemporaryDir home; // no settings of the user's, and none of ours for the user
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert("XDG_CONFIG_HOME", home.path());
    environment.insert("XDG_DATA_HOME", home.path());
    std::vector<double> samples;
    for (int i = 0; i <= Repeats; ++i) {
        QProcess process;
        process.setProcessEnvironment(environment);
        const double taken = millisecondsOf([&] {
            process.start(program, QStringList{"--quit-after-first-paint"} + arguments);
            process.waitForReadyRead();
        });
        process.waitForFinished();
        if (process.exitStatus() != QProcess::NormalExit || process.exitCode() != 0)
            return Error{ErrorCode::Internal,
                         "'" + program.toStdString() + "': " + process.errorString().toStdString() + ": " +
                             process.readAllStandardError().toStdString(),
                         {},
                         {}};
        if (i > 0)
            samples.push_back(taken / 1000);
    }
    return median(std::move(samples));
}

} // namespace

Result<std::vector<Row>> programStart()
{
    const Result<double> empty = secondsToPicture({});
    if (!empty)
        return empty.error();
    std::vector<Row> rows{rowAtMost("window painted after the program's start", *empty, "s", 0.5)};
    const QString model = QDir(qEnvironmentVariable("PIPESCOPE_MODELS")).filePath("silero_vad.jit");
    const QString engine = QDir(QCoreApplication::applicationDirPath()).filePath("pipescope-cli");
    if (qEnvironmentVariableIsEmpty("PIPESCOPE_MODELS") || !QFileInfo::exists(model) || !QFileInfo::exists(engine))
        return rows;
    const Result<double> read = secondsToPicture({model});
    if (!read)
        return read.error();
    rows.push_back(rowAtMost("boxes of silero_vad.jit painted after the program's start", *read, "s", 1,
                             "structure only, as a file not trusted yet"));
    const Result<double> loaded = secondsToPicture({"--trust", model});
    if (!loaded)
        return loaded.error();
    rows.push_back(rowAtMost("boxes of silero_vad.jit, loaded with --trust, painted likewise", *loaded, "s", 1,
                             "the graph that can be split"));
    return rows;
}

} // namespace pipescope::bench

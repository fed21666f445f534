#include "timeline/trace_reader.h"

#include "trace/chrome_trace.h"
#include "trace/json_look.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <string_view>

namespace pipescope::timeline {

namespace {

constexpr qint64 LargestFile = qint64{256} << 20;

Error unreadable(const QString &path, const QString &why)
{
    Error error;
    error.code = ErrorCode::InvalidFile;
    error.message =
        TraceReader::tr("The trace %1 cannot be read: %2").arg(QDir::toNativeSeparators(path), why).toStdString();
    return error;
}

Error stopped()
{
    return {ErrorCode::Cancelled, "stopped while reading the trace", {}, {}};
}

/// Of JSON without what a trace of ours is known by, which the user may have taken for a plan as well.
Error neither(const QString &path, const trace::JsonLook &look)
{
    Error error;
    error.code = ErrorCode::InvalidFile;
    const QString file = QDir::toNativeSeparators(path);
    error.message =
        (look.isForeignTrace()
             ? TraceReader::tr("%1 is a trace of another program: it has no object 'pipescope', which says how many "
                               "ranks, stages and microbatches it is of. Traces that Pipescope wrote can be opened "
                               "(File > Export); this one opens in ui.perfetto.dev.")
                   .arg(file)
             : TraceReader::tr(
                   "%1 is neither a plan nor a trace that Pipescope wrote. A plan is a JSON object with the "
                   "key 'pipescopePlan', a trace one with 'pipescope' and 'traceEvents'. Found: %2.")
                   .arg(file, QString::fromStdString(toText(look))))
            .toStdString();
    return error;
}

} // namespace

Result<std::shared_ptr<const LaneModel>> readTraceFile(const QString &path, const std::stop_token &stop)
{
    if (const QFileInfo info(path); info.exists() && !info.isFile()) // a pipe would be waited for
        return unreadable(path, TraceReader::tr("it is no file"));
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return unreadable(path, file.errorString());
    if (file.size() > LargestFile)
        return unreadable(path, TraceReader::tr("it is longer than 256 MiB. Record fewer microbatches."));
    const QByteArray bytes = file.read(LargestFile + 1);
    if (file.error() != QFileDevice::NoError)
        return unreadable(path, file.errorString());
    const std::string_view text(bytes.constData(), static_cast<std::size_t>(bytes.size()));
    Result<trace::Trace> trace = trace::parseChromeJson(text, LargestFile, stop);
    if (stop.stop_requested())
        return stopped();
    if (trace)
        return std::make_shared<const LaneModel>(std::make_shared<const trace::Trace>(*std::move(trace)));
    if (trace.error().code == ErrorCode::OutOfResources)
        return trace.error();
    const trace::JsonLook look = trace::lookAtJson(text, stop);
    if (stop.stop_requested())
        return stopped();
    if (!look.hasOwn)
        return neither(path, look);
    return unreadable(path, QString::fromStdString(trace.error().where.empty()
                                                       ? trace.error().message
                                                       : trace.error().message + " (" + trace.error().where + ")"));
}

QString whyRefused(const QString &path, const Error &error)
{
    const Error &told = error.code == ErrorCode::OutOfResources
                            ? unreadable(path, TraceReader::tr("there is not enough memory for it. Close other "
                                                               "programs, or record fewer microbatches."))
                            : error;
    return QString::fromStdString(told.message);
}

TraceReader::TraceReader(QObject *parent)
    : QObject(parent)
{
}

void TraceReader::open(const QString &path)
{
    m_path = path;
    m_thread.start([path](const std::stop_token &stop) { return readTraceFile(path, stop); },
                   [this, path](const Result<std::shared_ptr<const LaneModel>> &answer) { finish(path, answer); });
    Q_EMIT stateChanged();
}

void TraceReader::cancel()
{
    if (!isReading())
        return;
    m_thread.cancel();
    m_path.clear();
    Q_EMIT stateChanged();
}

void TraceReader::finish(const QString &path, const Result<std::shared_ptr<const LaneModel>> &answer)
{
    m_path.clear();
    Q_EMIT stateChanged();
    if (answer)
        Q_EMIT loaded(path, *answer);
    else
        Q_EMIT refused(whyRefused(path, answer.error()));
}

} // namespace pipescope::timeline

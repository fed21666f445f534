#include "timeline/trace_reader.h"

#include "trace/chrome_trace.h"

#include <QDir>
#include <QFile>

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

} // namespace

Result<std::shared_ptr<const LaneModel>> readTraceFile(const QString &path)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return unreadable(path, file.errorString());
    if (file.size() > LargestFile)
        return unreadable(path, TraceReader::tr("it is longer than 256 MiB. Record fewer microbatches."));
    const QByteArray bytes = file.read(LargestFile + 1);
    if (file.error() != QFileDevice::NoError)
        return unreadable(path, file.errorString());
    Result<trace::Trace> trace =
        trace::parseChromeJson({bytes.constData(), static_cast<std::size_t>(bytes.size())}, LargestFile);
    if (!trace)
        return unreadable(path, QString::fromStdString(trace.error().where.empty()
                                                           ? trace.error().message
                                                           : trace.error().message + " (" + trace.error().where + ")"));
    return std::make_shared<const LaneModel>(std::make_shared<const trace::Trace>(*std::move(trace)));
}

TraceReader::TraceReader(QObject *parent)
    : QObject(parent)
{
    m_pool.setMaxThreadCount(1);
}

TraceReader::~TraceReader()
{
    m_pool.waitForDone();
}

void TraceReader::open(const QString &path)
{
    m_pool.start([this, path] {
        Result<std::shared_ptr<const LaneModel>> answer = readTraceFile(path);
        QMetaObject::invokeMethod(
            this,
            [this, path, answer = std::move(answer)] {
                if (answer)
                    Q_EMIT loaded(path, *answer);
                else
                    Q_EMIT refused(QString::fromStdString(answer.error().message));
            },
            Qt::QueuedConnection);
    });
}

} // namespace pipescope::timeline

#include "session/process_link.h"

#include <utility>

namespace pipescope::session {

ProcessLink::ProcessLink(QStringList command, QObject *parent)
    : EngineLink(parent)
    , m_command(std::move(command))
{
    // All queued: who is told may ask the user something, and in that time the process may end and this link go. It
    // must not be the process that is calling then.
    const auto queued = Qt::QueuedConnection;
    connect(
        &m_process, &QProcess::readyReadStandardOutput, this,
        [this] {
            if (const QByteArray bytes = m_process.readAllStandardOutput(); !bytes.isEmpty())
                Q_EMIT received(bytes);
        },
        queued);
    connect(
        &m_process, &QProcess::readyReadStandardError, this,
        [this] {
            if (const QByteArray bytes = m_process.readAllStandardError(); !bytes.isEmpty())
                Q_EMIT printed(QString::fromUtf8(bytes));
        },
        queued);
    connect(&m_process, &QProcess::finished, this, &ProcessLink::tellEnd, queued);
    connect(
        &m_process, &QProcess::errorOccurred, this,
        [this](QProcess::ProcessError error) {
            if (error == QProcess::FailedToStart)
                Q_EMIT ended(tr("'%1' cannot be started: %2").arg(m_command.first(), m_process.errorString()));
        },
        queued);
}

ProcessLink::~ProcessLink()
{
    m_process.disconnect(this);
    m_process.kill();
    m_process.waitForFinished(5000);
}

void ProcessLink::start()
{
    m_process.start(m_command.first(), m_command.mid(1));
}

void ProcessLink::send(const QByteArray &bytes)
{
    m_process.write(bytes);
}

void ProcessLink::close()
{
    m_process.closeWriteChannel();
}

void ProcessLink::tellEnd()
{
    // On Unix the exit code of a process that a signal ended is that signal's number.
    Q_EMIT ended(m_process.exitStatus() == QProcess::CrashExit
                     ? tr("it was ended by signal %1").arg(m_process.exitCode())
                     : tr("it ended with exit code %1").arg(m_process.exitCode()));
}

} // namespace pipescope::session

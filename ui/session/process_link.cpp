#include "session/process_link.h"

namespace pipescope::session {

ProcessLink::ProcessLink(QStringList command, QObject *parent)
    : EngineLink(parent)
    , m_command(std::move(command))
{
    connect(&m_process, &QProcess::readyReadStandardOutput, this,
            [this] { Q_EMIT received(m_process.readAllStandardOutput()); });
    connect(&m_process, &QProcess::readyReadStandardError, this,
            [this] { Q_EMIT printed(QString::fromUtf8(m_process.readAllStandardError())); });
    connect(&m_process, &QProcess::finished, this, &ProcessLink::tellEnd);
    connect(&m_process, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
        if (error == QProcess::FailedToStart)
            Q_EMIT ended(tr("'%1' cannot be started: %2").arg(m_command.first(), m_process.errorString()));
    });
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

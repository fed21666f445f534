#include "session/process_link.h"

#include <QFileInfo>
#include <QStandardPaths>
#include <utility>

namespace pipescope::session {

ProcessLink::ProcessLink(QStringList command, Files files, QObject *parent)
    : EngineLink(parent)
    , m_command(std::move(command))
    , m_files(files)
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
                Q_EMIT ended(whyNotStarted());
        },
        queued);
}

ProcessLink::~ProcessLink()
{
    m_process.disconnect(this);
    m_process.kill();
    m_process.waitForFinished(5000);
}

QString ProcessLink::command() const
{
    QStringList words;
    for (const QString &word : m_command)
        words << (word.isEmpty() || word.contains(QLatin1Char(' ')) ? '"' + word + '"' : word);
    return words.join(QLatin1Char(' '));
}

QString ProcessLink::elsewhere() const
{
    return m_files == Files::Here ? QString() : command();
}

QString ProcessLink::whyNotStarted() const
{
    const QString program = m_command.first();
    const bool isPath = program.contains(QLatin1Char('/'));
    if (isPath ? !QFileInfo::exists(program) : QStandardPaths::findExecutable(program).isEmpty())
        return tr("there is no program '%1'").arg(program);
    if (isPath && !QFileInfo(program).isExecutable())
        return tr("'%1' is no program that may be run").arg(program);
    return tr("'%1' does not start: %2").arg(program, m_process.errorString());
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

bool ProcessLink::waitForEnd(std::chrono::milliseconds atMost)
{
    return m_process.state() == QProcess::NotRunning || m_process.waitForFinished(static_cast<int>(atMost.count()));
}

void ProcessLink::tellEnd()
{
    // On Unix the exit code of a process that a signal ended is that signal's number.
    Q_EMIT ended(m_process.exitStatus() == QProcess::CrashExit
                     ? tr("it was ended by signal %1").arg(m_process.exitCode())
                     : tr("it ended with exit code %1").arg(m_process.exitCode()));
}

} // namespace pipescope::session

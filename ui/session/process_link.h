// An engine as a child process, started by any command: `pipescope-cli serve`, `ssh host pipescope-cli serve`.
#pragma once

#include "session/engine_link.h"

#include <QProcess>
#include <QStringList>

namespace pipescope::session {

class ProcessLink : public EngineLink
{
    Q_OBJECT

public:
    /// `command`: the program and its arguments; not empty.
    explicit ProcessLink(QStringList command, QObject *parent = nullptr);
    /// Kills a process that still runs.
    ~ProcessLink() override;

    [[nodiscard]] QString command() const override;
    void start() override;
    void send(const QByteArray &bytes) override;
    void close() override;

private:
    void tellEnd();
    [[nodiscard]] QString whyNotStarted() const;

    const QStringList m_command;
    QProcess m_process;
};

} // namespace pipescope::session

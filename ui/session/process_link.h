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
    /// Where the files are that the process reads and writes, as far as is known.
    enum class Files { Here, PerhapsElsewhere };
    /// `command`: the program and its arguments; not empty.
    explicit ProcessLink(QStringList command, Files files = Files::Here, QObject *parent = nullptr);
    /// Kills a process that still runs.
    ~ProcessLink() override;

    [[nodiscard]] QString command() const override;
    [[nodiscard]] QString elsewhere() const override;
    void start() override;
    void send(const QByteArray &bytes) override;
    void close() override;
    bool waitForEnd(std::chrono::milliseconds atMost) override;

private:
    void tellEnd();
    [[nodiscard]] QString whyNotStarted() const;

    const QStringList m_command;
    const Files m_files;
    QProcess m_process;
};

} // namespace pipescope::session

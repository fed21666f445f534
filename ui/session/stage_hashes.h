// Looks beside the window at the stages that an engine of this machine says it wrote.
#pragma once

#include "report/split_report.h"
#include "session/side_thread.h"

#include <QObject>
#include <QString>
#include <QStringList>
#include <functional>
#include <stop_token>
#include <vector>

namespace pipescope::session {

class StageHashes : public QObject
{
    Q_OBJECT

public:
    explicit StageHashes(QObject *parent = nullptr);

    using Done = std::function<void(const QStringList &sha256s)>;
    /// `done` follows, from the event loop, with the hashes of those that stand in the folder as the engine says:
    /// neither its word alone nor what has taken a file's place since says whose work a file is. Not after this is
    /// gone.
    void look(const QString &folder, const std::vector<report::StageFile> &files, Done done);

private:
    SideThread m_thread{SideThread::Older::Kept};
};

/// What StageHashes does; for its thread.
[[nodiscard]] QStringList foundAsWritten(const QString &folder, const std::vector<report::StageFile> &files,
                                         const std::stop_token &stop = {});

} // namespace pipescope::session

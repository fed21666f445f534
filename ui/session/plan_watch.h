// Hears of it when something else changes or removes the plan's file while it is open here.
#pragma once

#include "session/document.h"

#include <QByteArray>
#include <QFileSystemWatcher>
#include <QTimer>
#include <optional>

namespace pipescope::session {

class PlanWatch : public QObject
{
    Q_OBJECT

public:
    /// The document must outlive this.
    explicit PlanWatch(Document &document, QObject *parent = nullptr);

    /// At once, in place of waiting until the file system tells.
    void look();

Q_SIGNALS:
    /// The file is another than at the last look, or this is the first one: what the document says of it now.
    void looked(pipescope::session::Document::FileState state);

private:
    void follow();
    void watch();

    Document &m_document;
    QFileSystemWatcher m_watcher;
    QTimer m_timer;                   ///< until who writes the file is done with it
    std::optional<QByteArray> m_seen; ///< digest of the file at the last look, empty where there was none
};

} // namespace pipescope::session

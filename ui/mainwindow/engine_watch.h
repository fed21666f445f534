// Tells above the canvas of an engine that goes on with what was cancelled, for how long, and ends it on demand. The
// notice goes by itself when the engine answers.
#pragma once

#include "mainwindow/reports.h"
#include "mainwindow/workspace.h"

#include <QObject>
#include <QString>
#include <QTimer>

namespace pipescope::mainwindow {

class EngineWatch : public QObject
{
    Q_OBJECT

public:
    /// All must outlive this.
    EngineWatch(Workspace &workspace, Reports &reports, NoticeArea &notices);

private:
    void follow();
    void tell();
    [[nodiscard]] QString text() const;
    /// Ends the engine, and offers another.
    void stopEngine();

    Workspace &m_workspace;
    Reports &m_reports;
    NoticeArea &m_notices;
    QTimer m_second; ///< active while it is told of
};

} // namespace pipescope::mainwindow

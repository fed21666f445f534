// The bar at the bottom: what is open, how far the work under way is, with a button that gives it up, and whether the
// plan is saved.
#pragma once

#include "mainwindow/workspace.h"

#include <QStatusBar>
#include <QTimer>

class QLabel;
class QProgressBar;
class QToolButton;

namespace pipescope::mainwindow {

class StatusBar : public QStatusBar
{
    Q_OBJECT

public:
    /// The workspace must outlive this.
    explicit StatusBar(Workspace &workspace, QWidget *parent = nullptr);

    /// What is open and whether it is saved, as it is now. Else done when the workspace says that it changed.
    void showDocument();

private:
    void follow();
    void showWork();
    void showProgress(const QString &step, double fraction);
    [[nodiscard]] QString summary() const;
    [[nodiscard]] QString saved() const;

    Workspace &m_workspace;
    QTimer m_busyTimer;
    QLabel *m_summary; // not owned, nor are those below: Qt's parent has them
    QLabel *m_saved;
    QProgressBar *m_progress;
    QToolButton *m_cancel;
};

} // namespace pipescope::mainwindow

// Files that come into the window and plans that go out of it; nothing that has changes goes without a question.
#pragma once

#include "mainwindow/recovery_offers.h"
#include "mainwindow/reports.h"
#include "session/plan_watch.h"

#include <QObject>

class QWidget;

namespace pipescope::mainwindow {

class FileCommands : public QObject
{
    Q_OBJECT

public:
    /// All but the folder must outlive this; dialogs stand over `window`.
    FileCommands(Workspace &workspace, Reports &reports, const QString &recoveryFolder, QWidget &window);

    /// A model, a plan or a trace. What is not on this machine may be a model on the engine's, where the user has set
    /// its command. False, and a report, where it cannot be opened; for a trace traceAsked() follows, else opened() or
    /// failed().
    bool open(const QString &path);
    /// Asks first what is to become of changes; a trace replaces nothing.
    void openAfterAsking(const QString &path);
    void chooseAndOpen();
    /// A model on the engine's machine, whose path is asked for.
    void askAndOpenThere();
    /// The example, which is made first where it is not there.
    void openExample();
    /// What is open is the example. The program made it, so that it needs no question.
    [[nodiscard]] bool isExample() const;
    /// A trace that was opened is among the recent files.
    void traceOpened(const QString &path);

    /// False where the user thought better of it, or it could not be written. Asks first where the file is another now
    /// than it was when it was read.
    bool save();
    bool saveAs();
    /// False where the user wants to keep what is open.
    bool mayBeLeft();

    [[nodiscard]] RecoveryOffers &recovery() { return m_recovery; }

Q_SIGNALS:
    void traceAsked(const QString &path);
    /// The document is another now.
    void opened(const QString &path);
    /// Reported already, where open() has said so at once too.
    void failed(const pipescope::Error &error);
    void saved();
    void recentChanged();

private:
    [[nodiscard]] bool mayBeThere(const QString &path) const;
    bool began(const Status &begun);
    bool saveTo(const QString &path);
    void addRecent(const QString &path);
    void restore(const session::LeftBehind &left);
    void follow();
    void compareWithPlanned();
    void tellOfFile(session::Document::FileState state);
    void reload();

    Workspace &m_workspace;
    Reports &m_reports;
    QWidget &m_window;
    RecoveryOffers m_recovery;
    session::PlanWatch m_watch;
    bool m_isToCompare = false; ///< what was opened, with the file that its plan was made for
    QString m_example;          ///< its plan; "" until it was found
    plan::Plan m_mayGo;         ///< the document's as it was when it was last agreed that another takes its place
    plan::Plan m_mayGoForThat;  ///< likewise, for the example
};

} // namespace pipescope::mainwindow

// Copies of a plan that has changes: this window's own are kept, and those that another left behind are offered.
#pragma once

#include "mainwindow/reports.h"
#include "session/autosave.h"
#include "session/recovery.h"

#include <QObject>
#include <deque>
#include <memory>
#include <optional>
#include <set>

namespace pipescope::mainwindow {

class RecoveryOffers : public QObject
{
    Q_OBJECT

public:
    /// All but the folder must outlive this. With "" as the folder nothing is kept, and nothing is offered.
    RecoveryOffers(Workspace &workspace, Reports &reports, const QString &folder);

    /// A notice for each plan that was left behind, the newest first: at most MostOffers at a time, and another for
    /// each that is answered.
    static constexpr int MostOffers = 3;
    void offerAll();
    /// One, however many there are.
    void offer(const session::LeftBehind &left);
    /// Opens it; the workspace's opening tells how that went, and then opened() or offerAgain() is to be called here.
    void restore(const session::LeftBehind &left);
    /// What was opened is what was to be restored; its file then goes.
    bool opened();
    /// What was about to be restored is offered again, where it is not any more.
    void offerAgain();
    /// As the settings have it now.
    void readDelay();
    /// Changes are written now, and left to be offered: the program is about to be ended from outside.
    void leave();

Q_SIGNALS:
    /// The offer was taken up.
    void restoreAsked(const pipescope::session::LeftBehind &left);

private:
    void offerNext();
    void tellWaiting();

    Workspace &m_workspace;
    Reports &m_reports;
    const QString m_folder;
    std::unique_ptr<session::Autosave> m_autosave;
    std::optional<session::LeftBehind> m_restoring;
    std::deque<session::LeftBehind> m_waiting; ///< to be offered
    std::set<QString> m_offered;               ///< their files, until they are answered
};

} // namespace pipescope::mainwindow

#include "mainwindow/recovery_offers.h"

#include "mainwindow/settings_dialog.h"

#include <QLocale>
#include <algorithm>
#include <chrono>
#include <utility>

namespace pipescope::mainwindow {

namespace {

constexpr auto NoCopyId = "noCopy";
constexpr auto WaitingId = "moreToRecover";

std::chrono::seconds autosaveDelay(const QSettings &settings)
{
    return std::chrono::seconds(std::max(1, settings.value(AutosaveKey, AutosaveSeconds).toInt()));
}

} // namespace

RecoveryOffers::RecoveryOffers(Workspace &workspace, Reports &reports, const QString &folder)
    : m_workspace(workspace)
    , m_reports(reports)
    , m_folder(folder)
{
    if (folder.isEmpty())
        return;
    m_autosave = std::make_unique<session::Autosave>(workspace.document, folder, autosaveDelay(workspace.settings));
    connect(m_autosave.get(), &session::Autosave::failed, this, [this](const QString &why) {
        Notice notice;
        notice.kind = Notice::Kind::Warning;
        notice.text = tr("No copy of the changed plan is kept for recovery: %1").arg(shortened(why, LongestNotice));
        m_reports.log(notice.text);
        m_reports.post(NoCopyId, notice);
    });
}

void RecoveryOffers::offerAll()
{
    if (m_folder.isEmpty())
        return;
    QStringList problems;
    for (session::LeftBehind &left : session::findLeftBehind(m_folder, &problems))
        m_waiting.push_back(std::move(left));
    offerNext();
    for (const QString &problem : problems)
        m_reports.log(problem);
}

void RecoveryOffers::offerNext()
{
    while (!m_waiting.empty() && m_offered.size() < MostOffers) {
        offer(m_waiting.front());
        m_waiting.pop_front();
    }
    tellWaiting();
}

void RecoveryOffers::tellWaiting()
{
    m_reports.forget(WaitingId);
    if (m_waiting.empty())
        return;
    Notice notice;
    notice.kind = Notice::Kind::Information;
    notice.text = tr("More such plans are kept in %1 (%2). They are offered as these are answered.")
                      .arg(m_folder)
                      .arg(m_waiting.size());
    m_reports.post(WaitingId, notice);
}

void RecoveryOffers::offer(const session::LeftBehind &left)
{
    const session::RecoveredPlan &recovered = left.recovered;
    const QString path =
        recovered.planPath.isEmpty() ? QString::fromStdString(recovered.plan.model) : recovered.planPath;
    Notice notice;
    notice.kind = Notice::Kind::Warning;
    notice.text = tr("Changes to %1 were not saved when Pipescope ended. They are kept from %2.")
                      .arg(path, QLocale().toString(recovered.written.toLocalTime(), QLocale::ShortFormat));
    const auto restore = [this, left] {
        m_offered.erase(left.file);
        Q_EMIT restoreAsked(left); // which may offer it again
        offerNext();
    };
    const auto discard = [this, left] {
        left.discard();
        m_offered.erase(left.file);
        offerNext();
    };
    notice.links = {{tr("Restore"), restore, true}, {tr("Discard"), discard, true}};
    m_offered.insert(left.file);
    m_reports.post(left.file, notice);
}

void RecoveryOffers::restore(const session::LeftBehind &left)
{
    offerAgain();
    m_restoring = left;
    m_workspace.opening.recover(left.recovered.plan, left.recovered.planPath);
}

bool RecoveryOffers::opened()
{
    if (!m_restoring)
        return false;
    if (m_autosave)
        m_autosave->flush(); // a copy of this window's own, before that of the other goes
    m_restoring->discard();
    m_restoring.reset();
    return true;
}

void RecoveryOffers::offerAgain()
{
    if (m_restoring)
        offer(*std::exchange(m_restoring, std::nullopt));
}

void RecoveryOffers::leave()
{
    if (m_autosave)
        m_autosave->leave();
}

void RecoveryOffers::readDelay()
{
    if (m_autosave)
        m_autosave->setDelay(autosaveDelay(m_workspace.settings));
}

} // namespace pipescope::mainwindow

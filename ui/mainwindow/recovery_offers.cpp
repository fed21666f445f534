#include "mainwindow/recovery_offers.h"

#include "mainwindow/settings_dialog.h"

#include <QLocale>
#include <algorithm>
#include <chrono>
#include <utility>

namespace pipescope::mainwindow {

namespace {

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
    connect(m_autosave.get(), &session::Autosave::failed, &reports, &Reports::log);
}

void RecoveryOffers::offerAll()
{
    if (m_folder.isEmpty())
        return;
    QStringList problems;
    for (const session::LeftBehind &left : session::findLeftBehind(m_folder, &problems))
        offer(left);
    for (const QString &problem : problems)
        m_reports.log(problem);
}

void RecoveryOffers::offer(const session::LeftBehind &left)
{
    const session::RecoveredPlan &recovered = left.recovered;
    const QString path =
        recovered.planPath.isEmpty() ? QString::fromStdString(recovered.plan.model) : recovered.planPath;
    Notice notice;
    notice.kind = Notice::Kind::Warning;
    notice.text = tr("Pipescope ended unexpectedly. Changes to %1 that were not saved are kept from %2.")
                      .arg(path, QLocale().toString(recovered.written.toLocalTime(), QLocale::ShortFormat));
    notice.links = {{tr("&Restore"), [this, left] { Q_EMIT restoreAsked(left); }, true},
                    {tr("&Discard"), [left] { left.discard(); }, true}};
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

void RecoveryOffers::readDelay()
{
    if (m_autosave)
        m_autosave->setDelay(autosaveDelay(m_workspace.settings));
}

} // namespace pipescope::mainwindow

#include "mainwindow/stage_commands.h"

#include "session/staging.h"

#include <QDesktopServices>
#include <QFileDialog>
#include <QFileInfo>
#include <QMessageBox>
#include <QUrl>

namespace pipescope::mainwindow {

namespace {

constexpr auto NoticeId = "savedStages";
constexpr qsizetype MostNamed = 6; ///< files, in a question

QString listed(const QStringList &names)
{
    return names.size() <= MostNamed ? names.join(QStringLiteral(", "))
                                     : StageCommands::tr("%1 and %2 more")
                                           .arg(names.first(MostNamed).join(QStringLiteral(", ")))
                                           .arg(names.size() - MostNamed);
}

} // namespace

StageCommands::StageCommands(Workspace &workspace, Reports &reports, QWidget &window)
    : m_workspace(workspace)
    , m_reports(reports)
    , m_window(window)
{
    connect(&workspace.saver, &session::StageSaver::saved, this, &StageCommands::tellSaved);
    connect(&workspace.saver, &session::StageSaver::failed, this, &StageCommands::tellFailed);
    connect(&workspace.document, &session::Document::pathChanged, this, [this] {
        if (!m_workspace.document.model()) // another document
            m_reports.forget(NoticeId);
    });
}

QString StageCommands::whyNot() const
{
    if (m_workspace.saver.isSaving())
        return tr("The stages are being saved.");
    return session::stageCount(m_workspace.document) < 2 ? tr("Place a split first: the model is one stage.")
                                                         : QString();
}

void StageCommands::saveStages()
{
    session::Document &document = m_workspace.document;
    const auto model = document.model();
    const QString beside = document.path().isEmpty() ? QString::fromStdString(document.plan().model) : document.path();
    const QString folder = QFileDialog::getExistingDirectory(&m_window, tr("Save the stages into a folder"),
                                                             QFileInfo(beside).absolutePath());
    // Dialogs turn the event loop: another document may be open by now, or this one another plan.
    if (folder.isEmpty() || document.model() != model || !whyNot().isEmpty())
        return;
    const int stages = session::stageCount(document);
    if (const QString source = session::sourceWrittenOver(document, folder, stages); !source.isEmpty()) {
        refuse(tr("The stages cannot be saved into %1: '%2', which this plan is made of, would be written over. Choose "
                  "another folder.")
                   .arg(folder, QFileInfo(source).fileName()));
        return;
    }
    if (!mayWriteOver(folder, stages) || document.model() != model)
        return;
    m_reports.forget(NoticeId);
    m_workspace.saver.save(folder);
}

bool StageCommands::mayWriteOver(const QString &folder, int stages) const
{
    const QStringList there = session::writtenOver(folder, stages);
    if (there.isEmpty())
        return true;
    return QMessageBox::question(&m_window, tr("Save the stages"),
                                 tr("%1 has %2 already. Write over them?").arg(folder, listed(there)),
                                 QMessageBox::Save | QMessageBox::Cancel, QMessageBox::Cancel) == QMessageBox::Save;
}

void StageCommands::refuse(const QString &why)
{
    Notice notice;
    notice.text = shortened(why, LongestNotice);
    notice.links.push_back({tr("Choose a folder..."), [this] { saveStages(); }, true});
    m_reports.log(why);
    m_reports.post(NoticeId, notice);
}

void StageCommands::tellSaved(const report::SplitReport &report)
{
    const QString folder = QString::fromStdString(report.folder);
    Notice notice;
    notice.kind = report.warnings.empty() ? Notice::Kind::Information : Notice::Kind::Warning;
    notice.text = tr("%1 stages are saved in %2, with stages.json, which says what each takes and gives, and the plan.")
                      .arg(report.files.size())
                      .arg(folder);
    for (const std::string &warning : report.warnings)
        notice.text += '\n' + QString::fromStdString(warning);
    m_reports.log(notice.text);
    notice.text = shortened(notice.text, LongestNotice);
    notice.links.push_back({tr("Show folder"), [folder] { QDesktopServices::openUrl(QUrl::fromLocalFile(folder)); }});
    m_reports.post(NoticeId, notice);
}

void StageCommands::tellFailed(const Error &error)
{
    if (error.code == ErrorCode::WriteFailed) {
        refuse(tr("The stages were not saved: %1. Choose a folder that can be written to.")
                   .arg(QString::fromStdString(error.message)));
        return;
    }
    m_reports.report(error);
    // What is refused as a file may be another one by now: then what is known of it is of none, and whether to trust it
    // is asked anew.
    if (error.code == ErrorCode::InvalidFile && error.where == m_workspace.document.plan().model)
        m_workspace.controller.look(session::RunController::Look::Reading);
}

} // namespace pipescope::mainwindow

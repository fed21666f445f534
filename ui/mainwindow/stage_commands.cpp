#include "mainwindow/stage_commands.h"

#include "mainwindow/save_stages_dialog.h"
#include "session/staging.h"

#include <QDesktopServices>
#include <QFileInfo>
#include <QMessageBox>
#include <QUrl>

namespace pipescope::mainwindow {

namespace {

constexpr auto SavedStages = "savedStages";
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
    , m_hashes(&window)
{
    connect(&workspace.saver, &session::StageSaver::saved, this, &StageCommands::tellSaved);
    connect(&workspace.saver, &session::StageSaver::failed, this, &StageCommands::tellFailed);
    connect(&workspace.document, &session::Document::pathChanged, this, [this] {
        if (m_workspace.document.model())
            return;
        m_reports.forget(SavedStages); // of another document
        m_unused = report::Unused::LeftOut;
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
    const QString elsewhere = m_workspace.engine.elsewhere();
    const std::optional<Target> target = askWhere();
    const QString folder = target ? target->folder : QString();
    // Dialogs turn the event loop: another document may be open by now, or this one another plan, or the engine
    // another.
    const auto isAsItWas = [&] {
        return document.model() == model && whyNot().isEmpty() && m_workspace.engine.elsewhere() == elsewhere;
    };
    if (folder.isEmpty() || !isAsItWas())
        return;
    if (m_workspace.engine.isElsewhere() && !folder.startsWith('/')) {
        refuse(tr("'%1' is not an absolute path: give the folder's path on the engine's machine from '/' on.")
                   .arg(folder));
        return;
    }
    const int stages = session::stageCount(document);
    const QString source = m_workspace.engine.isElsewhere() ? session::sourceWrittenOverThere(document, folder, stages)
                                                            : session::sourceWrittenOver(document, folder, stages);
    if (!source.isEmpty()) {
        refuse(tr("The stages cannot be saved into %1: '%2', which this plan is made of, would be written over. Choose "
                  "another folder.")
                   .arg(folder, QFileInfo(source).fileName()));
        return;
    }
    if (!mayWriteOver(folder, stages) || !isAsItWas())
        return;
    m_reports.forget(SavedStages);
    m_workspace.saver.save(folder, target->unused);
}

std::optional<StageCommands::Target> StageCommands::askWhere()
{
    using Machine = SaveStagesDialog::Machine;
    const session::Document &document = m_workspace.document;
    const bool isElsewhere = m_workspace.engine.isElsewhere();
    const QString model = QString::fromStdString(document.plan().model);
    const QString beside = document.path().isEmpty() || isElsewhere ? model : document.path();
    const QFileInfo file(beside);
    SaveStagesDialog dialog(isElsewhere ? Machine::Engines : Machine::This,
                            (isElsewhere ? file.path() : file.absolutePath()) + QStringLiteral("/stages"),
                            document.staging()->unused, &m_window);
    dialog.setUnused(m_unused);
    if (dialog.exec() != QDialog::Accepted || dialog.folder().isEmpty())
        return std::nullopt;
    m_unused = dialog.unused();
    return Target{dialog.folder(), m_unused};
}

bool StageCommands::mayWriteOver(const QString &folder, int stages) const
{
    QString question;
    if (m_workspace.engine.isElsewhere())
        question = tr("Save the stages into %1 on the engine's machine? Files of these names there are replaced: %2.")
                       .arg(folder, listed(session::stageFiles(stages)));
    else if (const QStringList there = session::writtenOver(folder, stages); !there.isEmpty())
        question = tr("%1 has %2 already. Write over them?").arg(folder, listed(there));
    return question.isEmpty() ||
           QMessageBox::question(&m_window, tr("Save the stages"), question, QMessageBox::Save | QMessageBox::Cancel,
                                 QMessageBox::Cancel) == QMessageBox::Save;
}

void StageCommands::refuse(const QString &why)
{
    Notice notice;
    notice.text = shortened(why, LongestNotice);
    notice.links.push_back({tr("Choose a folder..."), [this] { saveStages(); }, true});
    m_reports.log(why);
    m_reports.post(SavedStages, notice);
}

/// They have the model's code in them: they need no question where, and as long as, the model needs none.
void StageCommands::trustWritten(const report::SplitReport &report)
{
    const auto model = m_workspace.document.model();
    const bool isForGood =
        model && m_workspace.trust.isTrusted(QString::fromStdString(model->sha256),
                                             QString::fromStdString(m_workspace.document.plan().model));
    m_hashes.look(m_workspace.saver.folder(), report.files, [this, isForGood](const QStringList &written) {
        if (isForGood)
            m_workspace.trust.trust(written);
        else
            m_workspace.trust.trustForNow(written);
    });
}

void StageCommands::tellSaved(const report::SplitReport &report)
{
    const QString folder = QString::fromStdString(report.folder);
    if (!m_workspace.engine.isElsewhere())
        trustWritten(report);
    Notice notice;
    notice.kind = report.warnings.empty() ? Notice::Kind::Information : Notice::Kind::Warning;
    notice.text = tr("%1 stages are saved in %2, with stages.json, which says what each takes and gives, and the plan.")
                      .arg(report.files.size())
                      .arg(folder);
    for (const std::string &warning : report.warnings)
        notice.text += '\n' + QString::fromStdString(warning);
    m_reports.log(notice.text);
    notice.text = shortened(notice.text, LongestNotice);
    if (!m_workspace.engine.isElsewhere())
        notice.links.push_back(
            {tr("Show folder"), [folder] { QDesktopServices::openUrl(QUrl::fromLocalFile(folder)); }});
    m_reports.post(SavedStages, notice);
}

void StageCommands::tellFailed(const Error &error)
{
    if (error.code == ErrorCode::WriteFailed) {
        refuse(tr("The stages were not saved: %1. Choose a folder that can be written to.")
                   .arg(QString::fromStdString(error.message)));
        return;
    }
    m_reports.report(error);
    m_workspace.controller.lookAgainAfter(error);
}

} // namespace pipescope::mainwindow

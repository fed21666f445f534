#include "mainwindow/file_commands.h"

#include "mainwindow/plan_conflict.h"
#include "session/file_kind.h"
#include "session/plan_place.h"
#include "widgets/typing.h"

#include <QFileDialog>
#include <QFileInfo>
#include <QInputDialog>
#include <QMessageBox>
#include <string>

namespace pipescope::mainwindow {

namespace {

constexpr auto OnDiskId = "onDisk";

} // namespace

FileCommands::FileCommands(Workspace &workspace, Reports &reports, const QString &recoveryFolder, QWidget &window)
    : m_workspace(workspace)
    , m_reports(reports)
    , m_window(window)
    , m_recovery(workspace, reports, recoveryFolder)
    , m_watch(workspace.document)
{
    follow();
}

void FileCommands::follow()
{
    using session::ExampleModel;
    using session::Opening;
    connect(&m_workspace.opening, &Opening::replacing, this, [this](bool &go) {
        // Changes made while the engine was reading have not been asked about.
        const session::Document &document = m_workspace.document;
        go = !document.isModified() || document.plan() == m_mayGo || mayBeLeft();
        if (!go && !m_workspace.opening.isActive()) // else another was begun while the user was asked
            m_recovery.offerAgain();
    });
    connect(&m_workspace.opening, &Opening::opened, this, [this](const QString &path) {
        if (!m_recovery.opened())
            addRecent(path);
        Q_EMIT opened(path);
        m_isToCompare = true;
        compareWithPlanned();
    });
    connect(&m_workspace.document, &session::Document::replaced, this, [this] { m_isToCompare = false; });
    connect(&m_workspace.document, &session::Document::modelChanged, this, &FileCommands::compareWithPlanned);
    connect(&m_workspace.opening, &Opening::failed, this, [this](const Error &error) {
        m_reports.report(error);
        m_recovery.offerAgain();
        Q_EMIT failed(error);
    });
    connect(&m_workspace.example, &ExampleModel::failed, &m_reports, &Reports::report);
    connect(&m_workspace.example, &ExampleModel::found, this, [this](const QString &plan) {
        m_example = plan;
        m_mayGo = m_mayGoForThat; // making it took its time: what was edited meanwhile was not asked about
        began(m_workspace.opening.open(plan));
    });
    connect(&m_recovery, &RecoveryOffers::restoreAsked, this, &FileCommands::restore);
    connect(&m_watch, &session::PlanWatch::looked, this, &FileCommands::tellOfFile);
}

/// Of a large file the hash comes a while after what is in it.
void FileCommands::compareWithPlanned()
{
    const auto model = m_workspace.document.model();
    if (!m_isToCompare || !model || model->hashLeftOut)
        return;
    m_isToCompare = false;
    const std::string &planned = m_workspace.document.plan().modelSha256;
    if (!planned.empty() && model->sha256 != planned)
        m_reports.reportReplacedModel(tr("%1 is not the file that the plan was made for. The plan's split points may "
                                         "mean other places in it."));
}

bool FileCommands::open(const QString &path)
{
    if (session::fileKind(path) == session::FileKind::Trace) {
        Q_EMIT traceAsked(path);
        return true;
    }
    m_mayGo = m_workspace.document.plan();
    return began(mayBeThere(path) ? m_workspace.opening.openThere(QFileInfo(path).absoluteFilePath())
                                  : m_workspace.opening.open(path));
}

bool FileCommands::began(const Status &begun)
{
    if (!begun) {
        m_reports.report(begun.error());
        Q_EMIT failed(begun.error());
        return false;
    }
    m_recovery.offerAgain(); // this has taken its place
    return true;
}

void FileCommands::openAfterAsking(const QString &path)
{
    if (session::fileKind(path) == session::FileKind::Trace || mayBeLeft())
        open(path);
}

void FileCommands::chooseAndOpen()
{
    const QString path =
        QFileDialog::getOpenFileName(&m_window, tr("Open a TorchScript model, or a plan or trace of Pipescope"), {},
                                     tr("TorchScript models, plans and traces (*.pt *.pth *.jit *.ptl *.json);;"
                                        "TorchScript models (*.pt *.pth *.jit *.ptl);;"
                                        "Plans and traces that Pipescope wrote (*.json);;All files (*)"));
    if (!path.isEmpty())
        openAfterAsking(path);
}

void FileCommands::askAndOpenThere()
{
    const QString path =
        QInputDialog::getText(&m_window, tr("Open on the engine's machine"),
                              tr("Path of a TorchScript model, as the engine's machine knows it"), QLineEdit::Normal,
                              QString::fromStdString(m_workspace.document.plan().model))
            .trimmed();
    if (path.isEmpty() || !mayBeLeft())
        return;
    m_mayGo = m_workspace.document.plan();
    began(m_workspace.opening.openThere(path));
}

bool FileCommands::mayBeThere(const QString &path) const
{
    return m_workspace.engine.isElsewhere() && !QFileInfo::exists(path);
}

void FileCommands::openExample()
{
    if (!mayBeLeft())
        return;
    m_mayGoForThat = m_workspace.document.plan();
    m_workspace.example.get();
}

bool FileCommands::isExample() const
{
    return !m_example.isEmpty() && m_workspace.document.path() == m_example;
}

void FileCommands::traceOpened(const QString &path)
{
    addRecent(QFileInfo(path).absoluteFilePath());
}

void FileCommands::addRecent(const QString &path)
{
    m_workspace.recentFiles.add(path);
    Q_EMIT recentChanged();
}

void FileCommands::restore(const session::LeftBehind &left)
{
    if (!mayBeLeft()) {
        m_recovery.offer(left);
        return;
    }
    m_mayGo = m_workspace.document.plan();
    m_recovery.restore(left);
}

void FileCommands::tellOfFile(session::Document::FileState state)
{
    using FileState = session::Document::FileState;
    m_reports.forget(OnDiskId);
    if (state == FileState::None || state == FileState::Same)
        return;
    const QString name = QFileInfo(m_workspace.document.path()).fileName();
    Notice notice;
    notice.kind = Notice::Kind::Warning;
    if (state == FileState::Gone) {
        notice.text = tr("%1 is no longer on disk. Saving writes it again.").arg(name);
        notice.links = {{tr("Save plan"), [this] { save(); }, true}};
    } else {
        notice.text = tr("%1 was changed on disk since it was read here.").arg(name);
        notice.links = {{tr("Reload"), [this] { reload(); }}};
    }
    m_reports.post(OnDiskId, notice);
}

void FileCommands::reload()
{
    const QString path = m_workspace.document.path();
    if (!m_workspace.document.isModified() || mayReload(path, m_window))
        open(path);
}

bool FileCommands::save()
{
    const QString path = m_workspace.document.path();
    if (path.isEmpty())
        return saveAs();
    if (m_workspace.document.fileState() != session::Document::FileState::Changed)
        return saveTo(path);
    const Conflict answer = askAboutConflict(path, m_window);
    if (m_workspace.document.path() != path) // a file that was being opened has come
        return false;
    switch (answer) {
    case Conflict::Overwrite:
        return saveTo(path);
    case Conflict::SaveAs:
        return saveAs();
    case Conflict::Reload:
        open(path);
        return false;
    case Conflict::Cancel:
        break;
    }
    return false;
}

bool FileCommands::saveAs()
{
    const session::Document &document = m_workspace.document;
    const std::string model = document.plan().model;
    const QString before = document.path();
    const auto place = m_workspace.engine.isElsewhere() ? session::ModelPlace::Elsewhere : session::ModelPlace::Here;
    const QString proposed =
        before.isEmpty() ? session::proposedPlanPath(QString::fromStdString(model), place) : before;
    const QString path = QFileDialog::getSaveFileName(&m_window, tr("Save the plan"), proposed, tr("Plans (*.json)"));
    if (path.isEmpty())
        return false;
    if (document.plan().model != model || document.path() != before) { // a file that was being opened has come
        m_reports.report({ErrorCode::InvalidArgument,
                          tr("The plan was not saved: another one was opened meanwhile.").toStdString(),
                          {},
                          {}});
        return false;
    }
    return saveTo(path);
}

bool FileCommands::saveTo(const QString &path)
{
    if (session::isSameFile(path, QString::fromStdString(m_workspace.document.plan().model))) {
        QMessageBox::warning(&m_window, tr("The plan was not saved"),
                             tr("%1 is the model itself. Give the plan a name of its own.").arg(path));
        return false;
    }
    const Status written = m_workspace.document.saveAs(path);
    if (!written) {
        QMessageBox::warning(&m_window, tr("The plan was not saved"), QString::fromStdString(written.error().message));
        return false;
    }
    m_watch.look();
    addRecent(QFileInfo(path).absoluteFilePath());
    Q_EMIT saved();
    return true;
}

bool FileCommands::mayBeLeft()
{
    widgets::finishTyping();
    if (!m_workspace.document.isModified())
        return true;
    const auto answer =
        QMessageBox::question(&m_window, tr("Save the plan?"), tr("The plan has changes that are not saved."),
                              QMessageBox::Save | QMessageBox::Discard | QMessageBox::Cancel);
    return answer == QMessageBox::Discard || (answer == QMessageBox::Save && save());
}

} // namespace pipescope::mainwindow

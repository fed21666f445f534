// What follows from a model's file that was read: what stays selected, and whether its code may run.
#include "graph/same_program.h"
#include "mainwindow/main_window.h"
#include "mainwindow/trust_bar.h"
#include "session/carry_over.h"

#include <QStringList>
#include <string>
#include <utility>

namespace pipescope::mainwindow {

using Look = session::RunController::Look;

void MainWindow::modelRead()
{
    keepSelection();
    m_reports->reportRefusal(m_workspace.document.model().get(), m_workspace.document.plan());
    askForTrust();
    m_actionTable->refresh();
}

/// What is selected is of the graph before: of another file's nothing is left.
void MainWindow::keepSelection()
{
    const auto model = m_workspace.document.model();
    const auto before = std::exchange(m_lastModel, model);
    if (!before)
        return;
    if (!model || before->path != model->path || (!before->hashLeftOut && before->sha256 != model->sha256))
        m_workspace.selection.clear();
    else if (before->structureOnly != model->structureOnly || !graph::isSameProgram(before->graph, model->graph))
        session::carryOver(m_workspace.selection, before->graph, model->graph);
}

/// A model that was only read is loaded where it is trusted; else the user is asked.
void MainWindow::askForTrust()
{
    const auto model = m_workspace.document.model();
    const QString elsewhere = m_workspace.controller.modelElsewhere();
    QStringList libraries;
    for (const std::string &library : m_workspace.document.plan().opLibraries)
        if (!m_workspace.trust.isTrusted({}, QString::fromStdString(library), elsewhere))
            libraries << QString::fromStdString(library);
    const bool isOnlyRead = model && model->structureOnly && !model->loadRefused;
    m_trustBar->setLibraries(libraries);
    m_trustBar->setVisible(isOnlyRead);
    if (!isOnlyRead)
        return;
    if (model->hashLeftOut) { // which file it is has to be known before it is trusted
        m_workspace.controller.look(Look::Reading);
        showTrust();
        return;
    }
    const QString sha256 = QString::fromStdString(model->sha256);
    if (m_files->isExample() && elsewhere.isEmpty()) // which the program made here
        m_workspace.trust.trust(sha256);
    // A library is a program that the plan brings, however well its model is known.
    showTrust();
    if (libraries.isEmpty() &&
        m_workspace.trust.isTrusted(sha256, QString::fromStdString(m_workspace.document.plan().model), elsewhere))
        loadTrusted();
}

void MainWindow::modelTrusted()
{
    const auto model = m_workspace.document.model();
    if (model && !model->hashLeftOut)
        m_workspace.trust.trust(QString::fromStdString(model->sha256), m_workspace.controller.modelElsewhere());
    loadTrusted();
}

/// By the engine that was believed which file it is: another one reads it first.
void MainWindow::loadTrusted()
{
    const bool isItsEngine = m_workspace.controller.modelElsewhere() == m_workspace.engine.elsewhere();
    m_workspace.controller.look(isItsEngine ? Look::Loading : Look::Reading);
}

/// One whose loading failed or was given up may have run in part.
void MainWindow::showTrust()
{
    using Code = TrustBar::Code;
    const auto model = m_workspace.document.model();
    const bool isLoading = m_workspace.controller.isLoading();
    const std::string sha256 = model ? model->sha256 : std::string();
    if (isLoading)
        m_begunToLoad.insert(sha256);
    if (model && model->hashLeftOut)
        m_trustBar->setCode(m_workspace.controller.isLooking() ? Code::BeingRead : Code::NotReadToItsEnd);
    else
        m_trustBar->setCode(isLoading                        ? Code::Running
                            : m_begunToLoad.contains(sha256) ? Code::MayHaveRun
                                                             : Code::NotRun);
}

} // namespace pipescope::mainwindow

// What follows from a model's file that was read: what stays selected, and whether its code may run.
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
    if (!model || before->path != model->path || before->sha256 != model->sha256)
        m_workspace.selection.clear();
    else if (before->structureOnly != model->structureOnly || before->graph.nodes.size() != model->graph.nodes.size())
        session::carryOver(m_workspace.selection, before->graph, model->graph);
}

/// A model that was only read is loaded where it is trusted; else the user is asked.
void MainWindow::askForTrust()
{
    const auto model = m_workspace.document.model();
    QStringList libraries;
    for (const std::string &library : m_workspace.document.plan().opLibraries)
        if (!m_workspace.trust.isTrusted({}, QString::fromStdString(library)))
            libraries << QString::fromStdString(library);
    const bool isOnlyRead = model && model->structureOnly && !model->loadRefused;
    m_trustBar->setLibraries(libraries);
    m_trustBar->setVisible(isOnlyRead);
    if (!isOnlyRead)
        return;
    const QString sha256 = QString::fromStdString(model->sha256);
    if (m_files->isExample())
        m_workspace.trust.trust(sha256);
    // A library is a program that the plan brings, however well its model is known.
    m_trustBar->setLoading(false);
    if (libraries.isEmpty() && m_workspace.trust.isTrusted(sha256, QString::fromStdString(model->path)))
        m_workspace.controller.look(Look::Loading);
}

void MainWindow::modelTrusted()
{
    if (const auto model = m_workspace.document.model())
        m_workspace.trust.trust(QString::fromStdString(model->sha256));
    m_workspace.controller.look(Look::Loading);
}

} // namespace pipescope::mainwindow

#include "mainwindow/plan_commands.h"

#include "session/related.h"
#include "session/staging.h"

#include <QFileDialog>
#include <QInputDialog>
#include <algorithm>
#include <string>
#include <vector>

namespace pipescope::mainwindow {

PlanCommands::PlanCommands(Workspace &workspace, Reports &reports, QWidget &window)
    : m_workspace(workspace)
    , m_reports(reports)
    , m_window(window)
{
}

const partition::SplitPoint *PlanCommands::splitPointHere() const
{
    const auto model = m_workspace.document.model();
    if (!model)
        return nullptr;
    const session::Selected &selected = m_workspace.selection.current();
    int position = -1;
    if (const auto *cut = std::get_if<session::SelectedCut>(&selected))
        position = cut->position;
    else if (std::holds_alternative<NodeId>(selected) || std::holds_alternative<session::SelectedModule>(selected))
        position = session::orderOf(selected, model->graph, {}).begin;
    // One for each position from 1 on.
    return position >= 1 && position <= static_cast<int>(model->splitPoints.size())
               ? &model->splitPoints[static_cast<std::size_t>(position - 1)]
               : nullptr;
}

void PlanCommands::placeSplitHere()
{
    const partition::SplitPoint *here = splitPointHere();
    if (here == nullptr)
        return;
    session::Document &document = m_workspace.document;
    const auto staging = document.staging();
    const std::vector<int> &cuts = staging->partition.cuts;
    const bool isCut = std::find(cuts.begin(), cuts.end(), here->cut.position) != cuts.end();
    m_reports.tell(isCut ? session::removeSplit(document, here->id) : session::placeSplit(document, here->id));
}

void PlanCommands::balanceStages()
{
    session::Document &document = m_workspace.document;
    const auto model = document.model();
    bool isChosen = false;
    const int now = session::stageCount(document);
    const int stages = QInputDialog::getInt(&m_window, tr("Balance"), tr("Number of stages"), std::max(2, now), 1,
                                            std::max(1, model->graph.size()), 1, &isChosen);
    if (isChosen && document.model() == model) // and not that of another document
        m_reports.tell(session::balance(document, stages));
}

void PlanCommands::removeSplits()
{
    m_workspace.document.edit(tr("Remove all splits"), [](plan::Plan &plan) { plan.splits.clear(); });
}

void PlanCommands::chooseLibrary()
{
    const QString path = QFileDialog::getOpenFileName(&m_window, tr("Library of operators"), {},
                                                      tr("Libraries (*.so *.dylib *.dll);;All files (*)"));
    if (!path.isEmpty())
        addLibrary(path);
}

void PlanCommands::addLibrary(const QString &path)
{
    session::Document &document = m_workspace.document;
    document.edit(tr("Load a library of operators"), [&](plan::Plan &plan) {
        const std::string library = path.toStdString();
        if (std::find(plan.opLibraries.begin(), plan.opLibraries.end(), library) == plan.opLibraries.end())
            plan.opLibraries.push_back(library);
    });
    Q_EMIT libraryAdded();
    if (const auto model = document.model(); model && model->loadRefused)
        m_workspace.controller.look(session::RunController::Look::Loading);
}

} // namespace pipescope::mainwindow

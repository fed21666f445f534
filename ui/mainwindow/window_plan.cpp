// Edits of the plan that menus and the palette make.

#include "mainwindow/main_window.h"
#include "session/staging.h"

#include <QInputDialog>
#include <QStatusBar>
#include <algorithm>

namespace pipescope::mainwindow {

/// Before the selected node, at the selected split point, or where the selected stage begins; nullptr for none.
const partition::SplitPoint *MainWindow::splitPointHere() const
{
    const auto model = m_document.model();
    if (!model)
        return nullptr;
    const session::Selected &selected = m_selection.current();
    int position = -1;
    if (selected.cut)
        position = *selected.cut;
    else if (selected.node.valid() && selected.node.index() < model->graph.nodes.size())
        position = graph::positionOf(model->graph, selected.node);
    // One for each position from 1 on.
    return position >= 1 && position <= static_cast<int>(model->splitPoints.size())
               ? &model->splitPoints[static_cast<std::size_t>(position - 1)]
               : nullptr;
}

void MainWindow::placeSplitHere()
{
    const partition::SplitPoint *here = splitPointHere();
    if (here == nullptr)
        return;
    const std::vector<int> cuts = session::stagingOf(m_document.plan(), m_document.model()->graph).partition.cuts;
    const bool isCut = std::find(cuts.begin(), cuts.end(), here->cut.position) != cuts.end();
    tell(isCut ? session::removeSplit(m_document, here->id) : session::placeSplit(m_document, here->id));
}

void MainWindow::balanceStages()
{
    const auto model = m_document.model();
    bool isChosen = false;
    const int now = static_cast<int>(m_document.plan().splits.size()) + 1;
    const int stages = QInputDialog::getInt(this, tr("Balance"), tr("Number of stages"), std::max(2, now), 1,
                                            std::max(1, model->graph.size()), 1, &isChosen);
    if (isChosen && m_document.model() == model) // and not that of another document
        tell(session::balance(m_document, stages));
}

void MainWindow::tell(const Status &edited)
{
    if (!edited)
        report(edited.error());
}

} // namespace pipescope::mainwindow

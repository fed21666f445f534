// The part of the canvas that keeps what it shows and what is selected for all views the same.
#include "graphview/canvas_accessible.h"
#include "graphview/graph_canvas.h"
#include "session/related.h"

#include <algorithm>

namespace pipescope::graphview {

namespace {

session::SelectedModule moduleOf(const BoxKey &key, const graph::ModelGraph &graph)
{
    const graph::ModuleCall &call = graph.calls[static_cast<std::size_t>(key.index)];
    return {call.fqn, call.call};
}

} // namespace

void GraphCanvas::followSelection()
{
    if (m_selecting || !m_picture)
        return;
    const session::Selected &selected = m_selection.current();
    m_look.value = session::idIn<ValueId>(selected);
    m_look.stage = selectedStage();
    m_ground.reset();
    setCurrent(boxOfSelection());
    if (m_look.stage.valid() && m_look.stage.index() < m_titles.size())
        setAccessibleDescription(m_titles[m_look.stage.index()].title);
    revealSelection();
    update();
}

StageId GraphCanvas::selectedStage() const
{
    const StageId stage = session::stageIn(m_selection.current());
    return m_bands.size() > 1 && stage.value < std::ssize(m_bands) ? stage : StageId{};
}

int GraphCanvas::boxOfSelection() const
{
    const session::Selected &selected = m_selection.current();
    const auto boxOf = [this](NodeId node) { return m_picture->scene.tree.boxOfNode[node.index()]; };
    if (const auto node = session::idIn<NodeId>(selected); node.valid() && node.index() < m_graph->nodes.size())
        return boxOf(node);
    if (const auto value = session::idIn<ValueId>(selected); value.valid() && value.index() < m_graph->values.size())
        return m_picture->sourceOf(value);
    const auto *module = std::get_if<session::SelectedModule>(&selected);
    const graph::ModuleCall *call = module != nullptr ? session::callOf(*m_graph, *module) : nullptr;
    if (call == nullptr)
        return -1;
    const int own = m_picture->find({BoxKind::Module, static_cast<int>(call - m_graph->calls.data())});
    const session::OrderRange range = session::orderOf(*m_graph, *call);
    return own >= 0 || range.isEmpty() ? own : boxOf(m_graph->at(range.begin).id);
}

int GraphCanvas::firstBoxOfStage() const
{
    const StageId stage = m_look.stage;
    for (std::size_t i = 1; stage.valid() && i < m_stages.size(); ++i) {
        const StageSpan &span = m_stages[i];
        if (m_picture->scene.tree.boxes[i].group < 0 && span.first.valid() && span.first <= stage && stage <= span.last)
            return static_cast<int>(i);
    }
    return -1;
}

void GraphCanvas::revealSelection()
{
    m_mustReveal = !isVisible();
    if (m_mustReveal)
        return;
    if (m_look.current > 0)
        m_viewport.reveal(m_picture->scene.rects[static_cast<std::size_t>(m_look.current)]);
    if (const int first = firstBoxOfStage(); first > 0) { // and some of what follows
        QRectF stage = m_picture->scene.rects[static_cast<std::size_t>(first)];
        const double most = stage.top() + m_viewport.visible().height() / 2;
        stage.setBottom(std::max(stage.bottom(), std::min(m_bands[m_look.stage.index()].bottom, most)));
        m_viewport.reveal(stage);
    }
    if (const SplitPlace *place = placeOf(m_splits.places(), selectedCut()))
        m_viewport.reveal(QRectF(place->left, m_splits.heightOf(*place) - 20, place->right - place->left, 40));
    else if (const int around = m_splits.boxAround(selectedCut()); around > 0)
        m_viewport.reveal(m_picture->scene.rects[static_cast<std::size_t>(around)]);
}

void GraphCanvas::showEvent(QShowEvent *event)
{
    QWidget::showEvent(event);
    if (m_mustReveal && m_picture)
        revealSelection();
}

void GraphCanvas::setCurrent(int box)
{
    m_look.current = box;
    m_currentKey = box >= 0 ? m_picture->scene.tree.boxes[static_cast<std::size_t>(box)].key : BoxKey{};
    setAccessibleDescription(box >= 0 ? describe(box) : QString());
    announceCurrent(*this);
    repaintGround();
}

void GraphCanvas::select(int box)
{
    setCurrent(box);
    const Box &chosen = m_picture->scene.tree.boxes[static_cast<std::size_t>(box)];
    m_look.value = chosen.value;
    m_look.stage = {};
    m_selecting = true; // or the box of a result would give way to that which makes it
    if (chosen.value.valid())
        m_selection.select(chosen.value);
    else if (chosen.key.kind == BoxKind::Module && chosen.key.index < std::ssize(m_graph->calls))
        m_selection.select(moduleOf(chosen.key, *m_graph));
    else
        m_selection.select(chosen.node);
    m_selecting = false;
}

} // namespace pipescope::graphview

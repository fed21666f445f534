// Placing, moving and removing splits on the graph canvas.
#include "graphview/graph_canvas.h"

#include "base/text.h"
#include "widgets/number_text.h"

#include <QStringList>

namespace pipescope::graphview {

void GraphCanvas::setSplits(std::shared_ptr<const session::SplitTable> table, std::vector<int> cuts)
{
    abortDrag();
    showSplit(-1, {}, {});
    m_splits.set(std::move(table), std::move(cuts));
    update();
}

void GraphCanvas::previewSplit(int position, int moved, double y)
{
    constexpr double left = -1; // outside, where the pointer is
    showSplit(position, moved >= 0 ? std::optional(moved) : std::nullopt, {left, y});
}

// Edges of the values that cross are lit as long as the card is there.
void GraphCanvas::showSplit(int position, std::optional<int> moved, QPointF beside)
{
    const int before = m_splits.shown() ? m_splits.shown()->position : -1;
    const partition::SplitPoint *point = m_splits.table() ? m_splits.table()->at(position) : nullptr;
    m_look.cut = point ? position : -1;
    m_look.crossing = point ? &point->cut.crossing : nullptr;
    if (point)
        m_splits.show(position, moved, beside);
    else
        m_splits.hide();
    const int now = m_splits.shown() ? position : -1;
    if (now < 0 && before < 0)
        return;
    repaintGround();
    if (now != before)
        Q_EMIT splitPreviewed(now);
}

int GraphCanvas::selectedCut() const
{
    const auto *cut = std::get_if<session::SelectedCut>(&m_selection.current());
    return cut != nullptr && m_splits.isCut(cut->position) ? cut->position : -1;
}

void GraphCanvas::pressSplit(QPointF screen)
{
    m_pressedCut = m_splits.lineAt(m_viewport, screen);
    const int edge = m_pressedCut < 0 ? edgeAt(screen) : -1;
    const int box = m_picture->index.boxAt(m_picture->scene, m_viewport.toScene(screen));
    const bool onLeaf = box > 0 && m_picture->scene.tree.boxes[static_cast<std::size_t>(box)].group < 0;
    m_pressedPlace = edge >= 0 && !onLeaf ? m_splits.placeAt(m_viewport, screen, edge) : -1;
}

// A split takes itself along; an edge gives a new one.
bool GraphCanvas::startSplitDrag()
{
    return m_picture && (m_pressedCut >= 0 || m_pressedPlace >= 0);
}

void GraphCanvas::dragSplit(QPointF screen)
{
    constexpr double border = 24; // of the canvas, where dragging scrolls
    if (screen.y() < border)
        m_viewport.panBy({0, border / 2});
    else if (screen.y() > m_viewport.size().height() - border)
        m_viewport.panBy({0, -border / 2});
    const int target = m_splits.dropAt(m_viewport, screen);
    const auto from = m_pressedCut >= 0 ? std::optional(m_pressedCut) : std::nullopt;
    showSplit(target, from, screen);
    const session::SplitPreview *shown = m_splits.shown();
    setCursor(shown && shown->legal ? Qt::SizeVerCursor : Qt::ForbiddenCursor);
}

void GraphCanvas::dropSplit()
{
    const int from = std::exchange(m_pressedCut, -1);
    m_pressedPlace = -1;
    if (!m_splits.shown())
        return;
    const int to = m_splits.shown()->position;
    const bool legal = m_splits.shown()->legal;
    showSplit(-1, {}, {});
    if (!legal || to == from)
        return;
    if (from >= 0)
        Q_EMIT splitMoved(m_splits.idOf(from), m_splits.idOf(to));
    else if (!m_splits.isCut(to))
        Q_EMIT splitPlaced(m_splits.idOf(to));
    if (m_splits.isCut(to))
        m_selection.select(session::SelectedCut{to});
}

void GraphCanvas::abortDrag()
{
    m_pressedCut = m_pressedPlace = -1;
    if (m_drag != Drag::Split)
        return;
    m_drag = Drag::None;
    unsetCursor();
    showSplit(-1, {}, {});
}

// With Ctrl an edge's value is selected, as where no split can be.
bool GraphCanvas::clickSplit(QPointF screen, Qt::KeyboardModifiers modifiers)
{
    if (const int cut = m_splits.lineAt(m_viewport, screen); cut >= 0) {
        m_selection.select(session::SelectedCut{cut});
        return true;
    }
    const int box = m_picture->index.boxAt(m_picture->scene, m_viewport.toScene(screen));
    const bool onLeaf = box > 0 && m_picture->scene.tree.boxes[static_cast<std::size_t>(box)].group < 0;
    if (onLeaf || modifiers.testFlag(Qt::ControlModifier))
        return false;
    const int place = m_splits.placeAt(m_viewport, screen, edgeAt(screen));
    if (place < 0 || !m_splits.table()->at(place)->cut.legal || m_splits.isCut(place))
        return false;
    Q_EMIT splitPlaced(m_splits.idOf(place));
    if (m_splits.isCut(place))
        m_selection.select(session::SelectedCut{place});
    return true;
}

bool GraphCanvas::hoverSplit(QPointF screen)
{
    const int cut = m_splits.lineAt(m_viewport, screen);
    const int box = m_picture->index.boxAt(m_picture->scene, m_viewport.toScene(screen));
    const bool onLeaf = box > 0 && m_picture->scene.tree.boxes[static_cast<std::size_t>(box)].group < 0;
    const int place = cut >= 0 ? cut : onLeaf ? -1 : m_splits.placeAt(m_viewport, screen, edgeAt(screen));
    if (place < 0)
        return false;
    showSplit(place, {}, screen);
    setCursor(cut >= 0 ? Qt::SizeVerCursor : m_splits.shown()->legal ? Qt::PointingHandCursor : Qt::ForbiddenCursor);
    return true;
}

bool GraphCanvas::splitKey(int key, Qt::KeyboardModifiers modifiers)
{
    const int cut = selectedCut();
    const int step = key == Qt::Key_Down ? 1 : key == Qt::Key_Up ? -1 : 0;
    if (cut >= 0 && step != 0 && modifiers.testFlag(Qt::AltModifier)) {
        if (const int to = m_splits.nextFree(cut, step); to >= 0) {
            Q_EMIT splitMoved(m_splits.idOf(cut), m_splits.idOf(to));
            if (m_splits.isCut(to))
                m_selection.select(session::SelectedCut{to});
        }
        return true;
    }
    if (cut >= 0 && (key == Qt::Key_Delete || key == Qt::Key_Backspace)) {
        Q_EMIT splitRemoved(m_splits.idOf(cut));
        return true;
    }
    if (const int around = m_splits.boxAround(cut); around > 0 && (key == Qt::Key_Return || key == Qt::Key_Enter)) {
        toggle(m_picture->scene.tree.boxes[static_cast<std::size_t>(around)].key);
        return true;
    }
    if (key == Qt::Key_S && modifiers == Qt::NoModifier && m_look.current > 0) { // before what the keyboard is at
        const int at = m_picture->scene.tree.boxes[static_cast<std::size_t>(m_look.current)].begin;
        const partition::SplitPoint *point = m_splits.table() ? m_splits.table()->at(at) : nullptr;
        if (point && m_splits.isCut(at))
            Q_EMIT splitRemoved(m_splits.idOf(at));
        else if (point && point->cut.legal)
            Q_EMIT splitPlaced(m_splits.idOf(at));
        else
            showSplit(at, {},
                      m_viewport.toScreen(m_picture->scene.rects[static_cast<std::size_t>(m_look.current)]).topLeft());
        return true;
    }
    return false;
}

// What is known of a box, a line each: for the tool tip.
QString GraphCanvas::hoverText(int box) const
{
    const Box &of = m_picture->scene.tree.boxes[static_cast<std::size_t>(box)];
    QStringList lines{describe(box)};
    const BoxCosts &costs = m_picture->costs[static_cast<std::size_t>(box)];
    QStringList costWords;
    if (costs.seconds && of.begin < of.end)
        costWords << widgets::secondsText(*costs.seconds);
    if (costs.parameters > 0)
        costWords << tr("%1 of parameters, buffers and constants").arg(widgets::bytesText(costs.parameters));
    if (!costWords.isEmpty())
        lines << costWords.join(QStringLiteral(" · "));
    if (!of.node.valid())
        return lines.join(QLatin1Char('\n'));
    const graph::Node &node = m_graph->node(of.node);
    const graph::Node &last = of.key.kind == BoxKind::Module ? m_graph->at(of.end - 1) : node;
    if (of.key.kind != BoxKind::Module)
        lines.prepend(QString::fromStdString(node.name));
    for (const ValueId output : last.outputs) {
        if (const auto &tensor = m_graph->value(output).tensor)
            lines << tr("makes %1, %2").arg(QString::fromStdString(toText(*tensor)), widgets::bytesText(tensor->bytes));
    }
    if (!node.source.file.empty())
        lines << QStringLiteral("%1:%2  %3")
                     .arg(QString::fromStdString(node.source.file))
                     .arg(node.source.line)
                     .arg(QString::fromStdString(node.source.text));
    return lines.join(QLatin1Char('\n'));
}

} // namespace pipescope::graphview

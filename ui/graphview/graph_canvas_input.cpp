// What the mouse does on the canvas.
#include "graphview/graph_canvas.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QToolTip>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>

namespace pipescope::graphview {

namespace {

constexpr double DragStart = 4;
constexpr double EdgeReach = 5;

} // namespace

bool GraphCanvas::event(QEvent *event)
{
    // Only what is written over the canvas's own keys; Tab stays with the window.
    const bool inDrag = m_drag == Drag::Split && event->type() == QEvent::ShortcutOverride;
    if (inDrag && static_cast<QKeyEvent *>(event)->key() == Qt::Key_Escape) {
        event->accept(); // ends the drag, whatever else Esc is for in the window
        return true;
    }
    if (event->type() == QEvent::FontChange) {
        m_fonts = GraphFonts(font());
        m_painter = GraphPainter(m_fonts);
        m_splits.setFonts(m_fonts);
        if (m_graph)
            layOut();
    } else if (event->type() == QEvent::ToolTip && m_picture && m_look.hovered > 0) {
        const auto *help = static_cast<QHelpEvent *>(event);
        QToolTip::showText(
            help->globalPos(),
            QStringLiteral("<p style='white-space:pre'>%1</p>").arg(hoverText(m_look.hovered).toHtmlEscaped()), this);
        return true;
    }
    return QWidget::event(event);
}

void GraphCanvas::moved()
{
    if (m_picture)
        m_viewport.keepInSight(m_picture->scene.bounds);
    update();
}

void GraphCanvas::resizeEvent(QResizeEvent *event)
{
    const QPointF held = m_viewport.toScene({0, 0});
    const bool isAtStart = seesStart();
    m_viewport.setSize({event->size().width() * 1.0, std::max(1.0, event->size().height() - Legend::Height)});
    m_viewport.setCovered(m_minimap.place(m_viewport));
    // While docks and splitters find their places nobody has looked elsewhere yet.
    if (m_picture && (isAtStart || event->oldSize().isEmpty()))
        showStart();
    else
        m_viewport.hold(held, {0, 0});
}

void GraphCanvas::wheelEvent(QWheelEvent *event)
{
    // A touchpad's own scrolling pans, a wheel's steps zoom: with Ctrl either does the other.
    const bool fine = !event->pixelDelta().isNull();
    if (fine != event->modifiers().testFlag(Qt::ControlModifier))
        m_viewport.panBy(fine ? QPointF(event->pixelDelta()) : QPointF(event->angleDelta()) / 2);
    else
        m_viewport.zoomAt(event->position(), std::pow(1.0015, event->angleDelta().y()));
    event->accept();
    moved();
}

void GraphCanvas::mousePressEvent(QMouseEvent *event)
{
    if (event->button() != Qt::LeftButton && event->button() != Qt::MiddleButton)
        return;
    m_pressedAt = m_lastAt = event->position();
    m_drag = Drag::Pressed;
    if (!m_picture)
        return;
    if (m_minimap.place(m_viewport).contains(m_pressedAt)) {
        m_drag = Drag::Map;
        m_viewport.centreOn(m_minimap.toScene(*m_picture, m_viewport, m_pressedAt));
        update();
    } else if (event->button() == Qt::LeftButton) {
        pressSplit(m_pressedAt);
    }
}

void GraphCanvas::mouseMoveEvent(QMouseEvent *event)
{
    const QPointF at = event->position();
    if (m_drag == Drag::Pressed && (at - m_pressedAt).manhattanLength() >= DragStart) {
        m_drag = startSplitDrag() ? Drag::Split : Drag::Pan;
        setCursor(m_drag == Drag::Pan ? Qt::ClosedHandCursor : Qt::SizeVerCursor);
    }
    if (m_drag == Drag::Pan)
        m_viewport.panBy(at - m_lastAt);
    else if (m_drag == Drag::Split)
        dragSplit(at);
    else if (m_drag == Drag::Map && m_picture)
        m_viewport.centreOn(m_minimap.toScene(*m_picture, m_viewport, at));
    else
        hover(at);
    m_lastAt = at;
    if (m_drag == Drag::Pan || m_drag == Drag::Map)
        moved();
}

void GraphCanvas::mouseReleaseEvent(QMouseEvent *event)
{
    const Drag was = std::exchange(m_drag, Drag::None);
    unsetCursor();
    if (was == Drag::Pressed && event->button() == Qt::LeftButton && m_picture)
        clickAt(event->position(), event->modifiers());
    else if (was == Drag::Split)
        dropSplit();
}

int GraphCanvas::edgeAt(QPointF screen) const
{
    return m_viewport.zoom() < detail::Edges
               ? -1
               : m_picture->index.edgeAt(m_picture->scene, m_viewport.toScene(screen), EdgeReach / m_viewport.zoom());
}

void GraphCanvas::clickAt(QPointF screen, Qt::KeyboardModifiers modifiers)
{
    if (const auto overlay = Legend::buttonAt(m_viewport, screen)) {
        setOverlay(*overlay);
        return;
    }
    if (Legend::place(m_viewport).contains(screen))
        return;
    const QPointF scene = m_viewport.toScene(screen);
    if (const int port = portAt(scene); port >= 0) {
        jump(m_picture->scene.ports[static_cast<std::size_t>(port)]);
        return;
    }
    if (clickSplit(screen, modifiers))
        return;
    const int box = m_picture->index.boxAt(m_picture->scene, scene);
    const bool onLeaf = box > 0 && m_picture->scene.tree.boxes[static_cast<std::size_t>(box)].group < 0;
    if (!onLeaf) {
        if (const int edge = edgeAt(screen); edge >= 0) {
            const SceneEdge &hit = m_picture->scene.edges[static_cast<std::size_t>(edge)];
            m_selection.select(m_picture->scene.valuesOf(hit).front());
            return;
        }
    }
    if (box > 0)
        select(box);
}

int GraphCanvas::portAt(QPointF scene)
{
    if (m_viewport.zoom() < detail::Text)
        return -1;
    for (std::size_t i = 0; i < m_picture->scene.ports.size(); ++i) {
        const ScenePort &port = m_picture->scene.ports[i];
        if (std::abs(port.at.y() - scene.y()) > measure::Header) // measuring texts is what takes time
            continue;
        const QSizeF size = m_painter.texts().size(portText(*m_picture, port), TextRole::Value);
        if (portRect(port, size).contains(scene))
            return static_cast<int>(i);
    }
    return -1;
}

// To where the value comes from, or to the first that takes it.
void GraphCanvas::jump(const ScenePort &port)
{
    const ValueId value = port.values.front();
    int box = m_picture->sourceOf(value);
    if (port.side == ScenePort::Side::Gives) {
        for (const int user : m_picture->usersOf(value)) {
            const int first = m_picture->portOfBox[static_cast<std::size_t>(user)];
            if (first >= 0) {
                box = user;
                break;
            }
        }
    }
    if (box <= 0)
        return;
    m_viewport.centreOn(m_picture->scene.rects[static_cast<std::size_t>(box)].center());
    select(box);
}

void GraphCanvas::mouseDoubleClickEvent(QMouseEvent *event)
{
    if (!m_picture || event->button() != Qt::LeftButton || Legend::place(m_viewport).contains(event->position()) ||
        m_minimap.place(m_viewport).contains(event->position()))
        return;
    const int inside = m_splits.boxAround(m_splits.lineAt(m_viewport, event->position()));
    const int box =
        inside > 0 ? inside : m_picture->index.boxAt(m_picture->scene, m_viewport.toScene(event->position()));
    if (box > 0 && m_picture->scene.tree.boxes[static_cast<std::size_t>(box)].canOpen)
        toggle(m_picture->scene.tree.boxes[static_cast<std::size_t>(box)].key);
}

void GraphCanvas::hover(QPointF screen)
{
    if (!m_picture)
        return;
    if (m_minimap.setPointer(m_viewport, screen))
        update();
    const bool overChrome = Legend::place(m_viewport).contains(screen) || m_minimap.place(m_viewport).contains(screen);
    const bool overSplit = !overChrome && hoverSplit(screen);
    if (!overSplit) {
        showSplit(-1, {}, {});
        unsetCursor();
    }
    const int box = overChrome || overSplit ? -1 : m_picture->index.boxAt(m_picture->scene, m_viewport.toScene(screen));
    if (box == m_look.hovered)
        return;
    m_look.hovered = box;
    if (m_viewport.zoom() >= detail::Text) // it is not drawn from farther away
        repaintGround();
}

void GraphCanvas::leaveEvent(QEvent * /*event*/)
{
    m_look.hovered = -1;
    m_minimap.setPointer(m_viewport, {});
    if (m_drag != Drag::Split)
        showSplit(-1, {}, {});
    repaintGround();
}

} // namespace pipescope::graphview

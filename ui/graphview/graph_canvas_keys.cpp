// What keys do on the canvas. mainwindow/canvas_keys.cpp lists them for the sheet of shortcuts.
#include "graphview/graph_canvas.h"

#include <QKeyEvent>

namespace pipescope::graphview {

void GraphCanvas::step(int by)
{
    const int next = m_look.current < 0 ? std::max(1, firstBoxOfStage()) : m_look.current + by;
    if (next < 1 || next >= static_cast<int>(m_picture->scene.rects.size()))
        return;
    select(next);
    m_viewport.reveal(m_picture->scene.rects[static_cast<std::size_t>(next)]);
}

void GraphCanvas::stepIn()
{
    if (m_look.current < 0)
        return;
    const Box &box = m_picture->scene.tree.boxes[static_cast<std::size_t>(m_look.current)];
    if (box.canOpen && box.group < 0)
        toggle(box.key);
    else if (box.group >= 0)
        step(1);
}

// Closes what is open, else goes to what is around.
void GraphCanvas::stepOut()
{
    if (m_look.current < 0)
        return;
    const Box &box = m_picture->scene.tree.boxes[static_cast<std::size_t>(m_look.current)];
    if (box.group >= 0) {
        toggle(box.key);
    } else if (box.parent > 0) {
        select(box.parent);
        m_viewport.reveal(m_picture->scene.rects[static_cast<std::size_t>(box.parent)]);
    }
}

bool GraphCanvas::viewKey(int key)
{
    const auto page = [this](double part) { m_viewport.panBy({0, -part * height()}); };
    switch (key) {
    case Qt::Key_F:
        fit();
        return true;
    case Qt::Key_Plus:
    case Qt::Key_Equal:
        zoomBy(1.25);
        return true;
    case Qt::Key_Minus:
        zoomBy(0.8);
        return true;
    case Qt::Key_PageDown:
        page(0.8);
        return true;
    case Qt::Key_PageUp:
        page(-0.8);
        return true;
    case Qt::Key_Home:
        showStart();
        return true;
    case Qt::Key_1:
    case Qt::Key_2:
    case Qt::Key_3:
    case Qt::Key_4:
        setOverlay(static_cast<Overlay>(key - Qt::Key_1));
        return true;
    default:
        return false;
    }
}

bool GraphCanvas::walkKey(int key, Qt::KeyboardModifiers modifiers)
{
    switch (key) {
    case Qt::Key_Down:
        step(1);
        return true;
    case Qt::Key_Up:
        step(-1);
        return true;
    case Qt::Key_Right:
        stepIn();
        return true;
    case Qt::Key_Left:
        stepOut();
        return true;
    case Qt::Key_Return:
    case Qt::Key_Enter:
    case Qt::Key_Space:
        if (m_look.current > 0 && m_picture->scene.tree.boxes[static_cast<std::size_t>(m_look.current)].canOpen)
            toggle(m_currentKey);
        return true;
    case Qt::Key_N:
    case Qt::Key_F3:
        showMatch(modifiers.testFlag(Qt::ShiftModifier) ? -1 : 1);
        return true;
    case Qt::Key_Escape:
        return escape();
    default:
        return false;
    }
}

// To what is around; from the outermost, to nothing; from nothing it is the window's turn.
bool GraphCanvas::escape()
{
    if (m_drag == Drag::Split) {
        abortDrag();
        return true;
    }
    if (selectedCut() >= 0 || m_look.stage.valid()) {
        m_selection.clear();
        return true;
    }
    if (m_look.current <= 0)
        return false;
    const int parent = m_picture->scene.tree.boxes[static_cast<std::size_t>(m_look.current)].parent;
    if (parent > 0)
        select(parent);
    else
        m_selection.clear();
    return true;
}

void GraphCanvas::keyPressEvent(QKeyEvent *event)
{
    const bool asksForMenu =
        event->key() == Qt::Key_Menu || (event->key() == Qt::Key_F10 && event->modifiers() == Qt::ShiftModifier);
    if (asksForMenu)
        openCurrentMenu();
    else if (m_picture && (splitKey(event->key(), event->modifiers()) || viewKey(event->key()) ||
                           walkKey(event->key(), event->modifiers())))
        moved();
    else
        QWidget::keyPressEvent(event);
}

} // namespace pipescope::graphview

// Pointer and keys of the picture.
#include "shardview/shard_canvas.h"

#include <QApplication>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>

namespace pipescope::shardview {

namespace {

constexpr double NotchZoom = 1.25; ///< of a notch of the wheel, and of a key
constexpr double Notch = 120;

} // namespace

void ShardCanvas::changeZoom(const ShardZoom &zoom)
{
    setZoom(zoom);
    Q_EMIT zoomChanged(zoom);
}

void ShardCanvas::zoomBy(double factor)
{
    changeZoom(zoomedAt(m_zoom, {0.5, 0.5}, factor));
}

/// From 0 to 1 each way.
QPointF ShardCanvas::shareOfPlot(QPointF at) const
{
    const QRectF plot = frame()->plot();
    const QPointF from = at - plot.topLeft();
    return {std::clamp(from.x() / plot.width(), 0.0, 1.0), std::clamp(from.y() / plot.height(), 0.0, 1.0)};
}

void ShardCanvas::wheelEvent(QWheelEvent *event)
{
    if (!m_scene)
        return event->ignore();
    const double notches = event->angleDelta().y() / Notch;
    changeZoom(zoomedAt(m_zoom, shareOfPlot(event->position()), std::pow(NotchZoom, notches)));
    event->accept();
}

void ShardCanvas::mousePressEvent(QMouseEvent *event)
{
    if (event->button() != Qt::LeftButton || !m_scene)
        return;
    m_pressed = m_draggedTo = event->position();
    m_isDragging = false;
}

void ShardCanvas::mouseMoveEvent(QMouseEvent *event)
{
    m_pointer = event->position();
    if (m_pressed && m_scene) {
        const QPointF by = event->position() - *m_pressed;
        m_isDragging = m_isDragging || by.manhattanLength() >= QApplication::startDragDistance();
        if (m_isDragging) {
            const QSizeF plot = frame()->plot().size();
            const QPointF moved = event->position() - m_draggedTo;
            changeZoom(panned(m_zoom, {moved.x() / plot.width(), moved.y() / plot.height()}));
            m_draggedTo = event->position();
        }
    }
    update();
}

void ShardCanvas::mouseReleaseEvent(QMouseEvent *event)
{
    if (event->button() != Qt::LeftButton || !m_pressed)
        return;
    if (!m_isDragging)
        chooseAt(event->position());
    m_pressed.reset();
    m_isDragging = false;
    update();
}

void ShardCanvas::leaveEvent(QEvent * /*event*/)
{
    m_pointer.reset();
    update();
}

/// A click outside of the picture selects none.
void ShardCanvas::chooseAt(QPointF at)
{
    const std::optional<ShardSpot> spot = frame()->spotAt(*m_scene, at);
    if (!spot)
        return choose(std::nullopt);
    choose(m_scene->rankAt({frontSheet(*m_scene, m_look), spot->row.part, spot->column.part}));
}

void ShardCanvas::choose(std::optional<RankId> rank)
{
    if (rank == m_look.current)
        return;
    setCurrent(rank);
    Q_EMIT currentChanged(m_look.current.value_or(RankId()));
}

/// In the mesh's order; from the last one no further.
void ShardCanvas::stepRank(int by)
{
    const std::vector<RankId> &ranks = m_scene->layout().mesh().ranks();
    const int last = static_cast<int>(ranks.size()) - 1;
    if (!m_look.current)
        return choose(ranks[static_cast<std::size_t>(by > 0 ? 0 : last)]);
    const auto found = std::find(ranks.begin(), ranks.end(), *m_look.current);
    const int now = static_cast<int>(found - ranks.begin());
    choose(ranks[static_cast<std::size_t>(std::clamp(now + by, 0, last))]);
}

void ShardCanvas::keyPressEvent(QKeyEvent *event)
{
    if (!m_scene)
        return QWidget::keyPressEvent(event);
    switch (event->key()) {
    case Qt::Key_Right:
    case Qt::Key_Down:
        return stepRank(1);
    case Qt::Key_Left:
    case Qt::Key_Up:
        return stepRank(-1);
    case Qt::Key_Plus:
    case Qt::Key_Equal:
        return zoomBy(NotchZoom);
    case Qt::Key_Minus:
        return zoomBy(1 / NotchZoom);
    case Qt::Key_F:
        return changeZoom({});
    case Qt::Key_Escape:
        if (m_look.current)
            return choose(std::nullopt);
        break;
    default:
        break;
    }
    QWidget::keyPressEvent(event);
}

void ShardCanvas::focusInEvent(QFocusEvent *event)
{
    QWidget::focusInEvent(event);
    update();
}

void ShardCanvas::focusOutEvent(QFocusEvent *event)
{
    QWidget::focusOutEvent(event);
    update();
}

} // namespace pipescope::shardview

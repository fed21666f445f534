// The part of TimelineView that hears pointer, wheel and keys.
#include "timeline/describe.h"
#include "timeline/timeline_view.h"
#include "timeline/walk.h"

#include <QApplication>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QScrollBar>
#include <QToolTip>
#include <QWheelEvent>
#include <cmath>

namespace pipescope::timeline {

namespace {

constexpr double KeyZoom = 1.5;
constexpr double KeyPan = 0.15;    // of the width
constexpr double WheelZoom = 1.25; // per notch of 120 eighths of a degree
constexpr double Notch = 120;
constexpr double Snap = 5; // pixels

std::optional<Step> stepOf(int key)
{
    switch (key) {
    case Qt::Key_Right:
        return Step::Next;
    case Qt::Key_Left:
        return Step::Previous;
    case Qt::Key_Up:
        return Step::Up;
    case Qt::Key_Down:
        return Step::Down;
    case Qt::Key_BracketLeft:
        return Step::Producer;
    case Qt::Key_BracketRight:
        return Step::Consumer;
    default:
        return std::nullopt;
    }
}

} // namespace

double TimelineView::axisPixel(const QPointF &point) const
{
    return std::clamp(point.x() - LaneGeometry::HeaderWidth, 0.0, m_seen.width);
}

double TimelineView::measuredAt(const QPointF &point) const
{
    const double ns = m_seen.toTime(axisPixel(point));
    const int lane = geometryOfLanes().laneAt(point.y());
    return lane < 0 ? ns : snapped(m_model->lanes()[static_cast<std::size_t>(lane)], ns, Snap / m_seen.pixelsPerNs());
}

double TimelineView::pointerPixel() const
{
    const QPointF point = viewport()->mapFromGlobal(QPointF(QCursor::pos()));
    const bool isHere = geometryOfLanes().axis().contains(point);
    return isHere ? axisPixel(point) : m_seen.width / 2;
}

bool TimelineView::viewportEvent(QEvent *event)
{
    if (event->type() == QEvent::ToolTip) {
        const auto *help = static_cast<QHelpEvent *>(event);
        const auto spot = m_model ? spotAt(geometryOfLanes(), m_seen, *m_model, help->pos()) : std::nullopt;
        if (!spot) {
            QToolTip::hideText();
            event->ignore();
            return true;
        }
        // A name in a trace is anybody's text: never markup.
        const QString text = QString::fromStdString(describe(*m_model, *spot)).toHtmlEscaped();
        QToolTip::showText(help->globalPos(), QStringLiteral("<p style='white-space:pre'>%1</p>").arg(text),
                           viewport());
        return true;
    }
    if (event->type() == QEvent::Leave)
        setHovered(std::nullopt);
    return QAbstractScrollArea::viewportEvent(event);
}

void TimelineView::wheelEvent(QWheelEvent *event)
{
    const QPoint turn = event->angleDelta();
    if (!m_model || turn.isNull())
        return;
    const bool sideways = turn.x() != 0 && std::abs(turn.x()) > std::abs(turn.y());
    if (event->modifiers().testFlag(Qt::ShiftModifier) || sideways) {
        const int most = sideways ? turn.x() : turn.y();
        goTo(panned(m_seen, -most / Notch * KeyPan * m_seen.width), Move::SmallStep);
    } else if (event->position().x() < LaneGeometry::HeaderWidth) {
        verticalScrollBar()->setValue(verticalScrollBar()->value() - turn.y());
    } else {
        const double factor = std::pow(WheelZoom, turn.y() / Notch);
        goTo(zoomedAt(m_seen, axisPixel(event->position()), factor), Move::SmallStep);
    }
    event->accept();
}

void TimelineView::mousePressEvent(QMouseEvent *event)
{
    if (!m_model || m_drag != Drag::None)
        return;
    const bool pans = event->button() == Qt::MiddleButton ||
                      (event->button() == Qt::LeftButton && event->modifiers().testFlag(Qt::ShiftModifier));
    if (!pans && event->button() != Qt::LeftButton)
        return;
    m_drag = pans ? Drag::Pan : Drag::Measure;
    m_isStepping = false; // what a drag does is taken back by itself
    m_pressed = event->position();
    m_seenWhenPressed = m_seen;
    m_scrollWhenPressed = verticalScrollBar()->value();
    if (pans)
        viewport()->setCursor(Qt::ClosedHandCursor);
}

void TimelineView::mouseMoveEvent(QMouseEvent *event)
{
    if (!m_model)
        return;
    const QPointF moved = event->position() - m_pressed;
    if (m_drag == Drag::Pan) {
        goTo(panned(m_seenWhenPressed, -moved.x()), Move::SmallStep);
        verticalScrollBar()->setValue(static_cast<int>(m_scrollWhenPressed - moved.y()));
    } else if (m_drag == Drag::Measure && (m_measured || std::abs(moved.x()) >= QApplication::startDragDistance())) {
        m_measured = {measuredAt(m_pressed), measuredAt(event->position())};
        viewport()->update();
    } else if (m_drag == Drag::None) {
        setHovered(spotAt(geometryOfLanes(), m_seen, *m_model, event->position()));
    }
}

void TimelineView::mouseReleaseEvent(QMouseEvent *event)
{
    const Drag drag = std::exchange(m_drag, Drag::None);
    viewport()->unsetCursor();
    if (!m_model || drag == Drag::None)
        return;
    const std::optional<std::pair<double, double>> measured = std::exchange(m_measured, std::nullopt);
    viewport()->update();
    if (drag == Drag::Pan) {
        m_isStepping = false; // the next one is a step of its own
        return;
    }
    const int header =
        event->position().x() < LaneGeometry::HeaderWidth ? geometryOfLanes().laneAt(event->position().y()) : -1;
    if (!measured && header >= 0) {
        setCurrent(std::nullopt); // a bubble's rank may be selected already
        m_selection.selectRank(RankId{header});
    } else if (measured) {
        goTo(between(m_seen, m_seen.toPixel(measured->first), m_seen.toPixel(measured->second)), Move::Jump);
    } else {
        select(spotAt(geometryOfLanes(), m_seen, *m_model, event->position()));
    }
}

void TimelineView::mouseDoubleClickEvent(QMouseEvent *event)
{
    if (event->button() == Qt::LeftButton && m_current)
        fitCurrent();
}

void TimelineView::keyPressEvent(QKeyEvent *event)
{
    const bool isOurs = !(event->modifiers() & (Qt::ControlModifier | Qt::AltModifier | Qt::MetaModifier));
    if (!m_model || !isOurs || !(moveBy(event->key()) || walk(event->key())))
        QAbstractScrollArea::keyPressEvent(event);
}

bool TimelineView::moveBy(int key)
{
    switch (key) {
    case Qt::Key_W:
        goTo(zoomedAt(m_seen, pointerPixel(), KeyZoom), Move::SmallStep);
        return true;
    case Qt::Key_S:
        goTo(zoomedAt(m_seen, pointerPixel(), 1 / KeyZoom), Move::SmallStep);
        return true;
    case Qt::Key_A:
        goTo(panned(m_seen, -KeyPan * m_seen.width), Move::SmallStep);
        return true;
    case Qt::Key_D:
        goTo(panned(m_seen, KeyPan * m_seen.width), Move::SmallStep);
        return true;
    case Qt::Key_F:
        fitRun();
        return true;
    case Qt::Key_Z:
        fitCurrent();
        return true;
    case Qt::Key_Backspace:
        zoomBack();
        return true;
    default:
        return false;
    }
}

bool TimelineView::walk(int key)
{
    if (key == Qt::Key_Escape) {
        // Outward, one thing at a time: first the drag under way, then what is selected.
        if (m_drag == Drag::None && !m_current)
            return false;
        if (m_drag != Drag::None) {
            m_drag = Drag::None;
            m_measured.reset();
            viewport()->unsetCursor();
            viewport()->update();
        } else {
            select(std::nullopt);
        }
        return true;
    }
    const std::optional<Step> step = stepOf(key);
    if (!step)
        return false;
    const std::optional<Spot> next = m_current ? walked(*m_model, *m_current, *step) : firstSpot(*m_model);
    if (next)
        select(next);
    return true;
}

} // namespace pipescope::timeline

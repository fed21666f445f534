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
        return Step::Cause;
    case Qt::Key_BracketRight:
        return Step::Effect;
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
    const LaneGeometry geometry = geometryOfLanes();
    const trace::Lane *lane = m_runs.lane(geometry.rowAt(point.y()), geometry.laneAt(point.y()));
    return lane == nullptr ? ns : snapped(*lane, ns, Snap / m_seen.pixelsPerNs());
}

double TimelineView::pointerPixel() const
{
    const QPointF point = viewport()->mapFromGlobal(QPointF(QCursor::pos()));
    const bool isHere = geometryOfLanes().axis().contains(point);
    return isHere ? axisPixel(point) : m_seen.width / 2;
}

QString TimelineView::memoryTextAt(const QPointF &point) const
{
    const LaneGeometry geometry = geometryOfLanes();
    const int index = geometry.laneAt(point.y());
    if (m_runs.isEmpty() || index < 0 || !geometry.memory(index).contains(point))
        return {};
    QStringList texts;
    for (int run = 0; run < m_runs.count(); ++run)
        if (const LaneLook *look = m_runs.look(run, index); look != nullptr && !look->memory.isEmpty()) {
            const auto text = describeMemory(RankId{index}, look->memory, m_seen.toTime(axisPixel(point)));
            texts << (m_runs.count() > 1 ? m_runs[run].name + '\n' + text : text);
        }
    return texts.join('\n');
}

QString TimelineView::textAt(const QPointF &point) const
{
    if (m_runs.isEmpty())
        return {};
    if (const auto spot = spotAt(geometryOfLanes(), m_seen, m_runs, point))
        return describe(m_runs.modelOf(*spot), *spot);
    return memoryTextAt(point);
}

bool TimelineView::viewportEvent(QEvent *event)
{
    if (event->type() == QEvent::ToolTip) {
        const auto *help = static_cast<QHelpEvent *>(event);
        const bool hasCard = m_hovered && m_hovered->bubble >= 0; // that says it already
        const QString text = hasCard ? QString() : textAt(help->pos());
        if (text.isEmpty()) {
            QToolTip::hideText();
            event->ignore();
            return true;
        }
        // A name in a trace is anybody's text: never markup.
        QToolTip::showText(help->globalPos(),
                           QStringLiteral("<p style='white-space:pre'>%1</p>").arg(text.toHtmlEscaped()), viewport());
        return true;
    }
    switch (event->type()) {
    case QEvent::Leave:
        setHovered(std::nullopt);
        break;
    case QEvent::Paint:
        m_plot.plotChanges();
        return false; // the plot paints itself
    case QEvent::UpdateLater:
        return true; // asked for by plotting, in the midst of being painted
    default:
        break;
    }
    return QAbstractScrollArea::viewportEvent(event);
}

void TimelineView::wheelEvent(QWheelEvent *event)
{
    const QPoint turn = event->angleDelta();
    if (m_runs.isEmpty() || turn.isNull())
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
    if (m_runs.isEmpty() || m_drag != Drag::None)
        return;
    const bool pans = event->button() == Qt::MiddleButton ||
                      (event->button() == Qt::LeftButton && event->modifiers().testFlag(Qt::ShiftModifier));
    if (!pans && event->button() != Qt::LeftButton)
        return;
    const bool zooms =
        event->modifiers().testFlag(Qt::ControlModifier) || event->position().y() < LaneGeometry::RulerHeight;
    m_drag = pans ? Drag::Pan : zooms ? Drag::Zoom : Drag::Measure;
    m_isStepping = false; // what a drag does is taken back by itself
    m_pressed = event->position();
    m_seenWhenPressed = m_seen;
    m_scrollWhenPressed = verticalScrollBar()->value();
    if (pans)
        viewport()->setCursor(Qt::ClosedHandCursor);
}

void TimelineView::mouseMoveEvent(QMouseEvent *event)
{
    if (m_runs.isEmpty())
        return;
    const QPointF moved = event->position() - m_pressed;
    if (m_drag == Drag::Pan) {
        goTo(panned(m_seenWhenPressed, -moved.x()), Move::SmallStep);
        verticalScrollBar()->setValue(static_cast<int>(m_scrollWhenPressed - moved.y()));
    } else if (m_drag != Drag::None && (m_measured || std::abs(moved.x()) >= QApplication::startDragDistance())) {
        m_measured = {measuredAt(m_pressed), measuredAt(event->position())};
        m_plot.changeOverlay();
    } else if (m_drag == Drag::None) {
        setHovered(spotAt(geometryOfLanes(), m_seen, m_runs, event->position()));
        if (const QString text = memoryTextAt(event->position()); !text.isEmpty())
            Q_EMIT hovered(text);
    }
}

void TimelineView::endDrag()
{
    m_drag = Drag::None;
    m_measured.reset();
    viewport()->unsetCursor();
    m_plot.changeOverlay();
}

void TimelineView::mouseReleaseEvent(QMouseEvent *event)
{
    const Drag drag = m_drag;
    const std::optional<std::pair<double, double>> measured = m_measured;
    endDrag();
    if (m_runs.isEmpty() || drag == Drag::None)
        return;
    if (drag == Drag::Pan) {
        m_isStepping = false; // the next one is a step of its own
        return;
    }
    const int header =
        event->position().x() < LaneGeometry::HeaderWidth ? geometryOfLanes().laneAt(event->position().y()) : -1;
    if (!measured && header >= 0) {
        setCurrent(std::nullopt);
        m_selection.select(RankId{header});
    } else if (measured && drag == Drag::Zoom) {
        goTo(between(m_seen, m_seen.toPixel(measured->first), m_seen.toPixel(measured->second)), Move::Jump);
    } else if (measured) {
        selectSpan(measured->first, measured->second, geometryOfLanes().rowAt(m_pressed.y()));
    } else {
        select(spotAt(geometryOfLanes(), m_seen, m_runs, event->position()));
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
    const bool stretches = event->modifiers().testFlag(Qt::ShiftModifier);
    const bool isDone = !m_runs.isEmpty() && isOurs &&
                        ((stretches && stretchSpan(event->key())) || moveBy(event->key()) || walk(event->key()));
    if (!isDone)
        QAbstractScrollArea::keyPressEvent(event);
}

bool TimelineView::stretchSpan(int key)
{
    const auto *span = std::get_if<session::SelectedSpan>(&m_selection.current());
    if (span == nullptr || (key != Qt::Key_Left && key != Qt::Key_Right))
        return false;
    const int row = m_runs.rowOf(span->run);
    const double end = nextEdge(m_runs.model(row), span->endNs, key == Qt::Key_Right ? 1 : -1);
    const auto begin = static_cast<double>(span->beginNs);
    selectSpan(begin, std::max(begin, end), row);
    return true;
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
    case Qt::Key_M:
        measure();
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

bool TimelineView::stepOutward()
{
    // One thing at a time: first the drag under way, then what is selected.
    if (m_drag != Drag::None) {
        endDrag();
        return true;
    }
    if (!m_current && !std::holds_alternative<session::SelectedSpan>(m_selection.current()))
        return false;
    select(std::nullopt);
    return true;
}

bool TimelineView::walk(int key)
{
    if (key == Qt::Key_Escape)
        return stepOutward();
    const std::optional<Step> step = stepOf(key);
    if (!step)
        return false;
    std::optional<Spot> next =
        m_current ? walked(m_runs.modelOf(*m_current), *m_current, *step) : firstSpot(m_runs.model(0));
    if (next) {
        next->run = m_current ? m_current->run : 0;
        select(next);
    }
    return true;
}

} // namespace pipescope::timeline

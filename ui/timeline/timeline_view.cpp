#include "timeline/timeline_view.h"

#include "timeline/describe.h"
#include "timeline/walk.h"

#include <QEvent>
#include <QPainter>
#include <QScrollBar>
#include <cmath>

namespace pipescope::timeline {

namespace {

bool selects(const session::Selected &selected, const LaneModel &model, Spot spot)
{
    if (spot.slice < 0)
        return selected.rank == RankId{spot.lane};
    const Slice &slice = model.at({spot.lane, spot.slice});
    return selected.action == session::SelectedAction{slice.stage, slice.microbatch};
}

} // namespace

TimelineView::TimelineView(session::Selection &selection, QWidget *parent)
    : QAbstractScrollArea(parent)
    , m_selection(selection)
{
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::StrongFocus);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setMinimumSize(320, 120);
    viewport()->setMouseTracking(true);
    viewport()->setAttribute(Qt::WA_OpaquePaintEvent);
    setAccessibleName(tr("Timeline"));
    connect(&m_selection, &session::Selection::changed, this, &TimelineView::followSelection);
    setModel(nullptr);
}

void TimelineView::setTrace(std::shared_ptr<const trace::Trace> trace)
{
    setModel(trace ? std::make_shared<const LaneModel>(std::move(trace)) : nullptr);
}

void TimelineView::setModel(std::shared_ptr<const LaneModel> model)
{
    m_model = std::move(model);
    m_drag = Drag::None;
    m_measured.reset();
    m_history.clear();
    m_isStepping = false;
    setHovered(std::nullopt);
    setCurrent(std::nullopt);
    setAccessibleDescription(m_model ? tr("%n ranks", nullptr, static_cast<int>(m_model->lanes().size()))
                                     : tr("No run yet"));
    updateScrollBar();
    m_seen = fitted(m_model ? m_model->run() : TimeRange{}, geometryOfLanes().axisWidth());
    followSelection();
    repaintLanes();
    Q_EMIT coordinatesChanged();
}

void TimelineView::setTheme(const style::Theme &theme)
{
    m_theme = &theme;
    repaintLanes();
}

LaneGeometry TimelineView::geometryOfLanes() const
{
    LaneGeometry geometry;
    geometry.width = viewport()->width();
    geometry.height = viewport()->height();
    geometry.lanes = m_model ? static_cast<int>(m_model->lanes().size()) : 0;
    geometry.scroll = verticalScrollBar()->value();
    return geometry;
}

Scene TimelineView::scene() const
{
    return {*m_model, *m_theme, geometryOfLanes(), m_seen, font()};
}

void TimelineView::goTo(const Coordinates &coordinates, Move move)
{
    if (!m_model)
        return;
    const Coordinates wanted = clamped(coordinates, m_model->run());
    if (wanted == m_seen)
        return;
    if (move == Move::Jump || !m_isStepping)
        m_history.push(m_seen);
    m_isStepping = move == Move::SmallStep;
    m_seen = wanted;
    repaintLanes();
    Q_EMIT coordinatesChanged();
}

void TimelineView::fitRun()
{
    if (m_model)
        goTo(fitted(m_model->run(), m_seen.width), Move::Jump);
}

void TimelineView::fitCurrent()
{
    if (!m_current)
        return;
    const TimeRange time = timeOf(*m_model, *m_current);
    const double room = std::max(LeastSpanNs, time.spanNs() * 0.5);
    goTo({static_cast<double>(time.beginNs) - room, time.spanNs() + 2 * room, m_seen.width}, Move::Jump);
}

void TimelineView::zoomBack()
{
    const std::optional<Coordinates> last = m_history.takeBack();
    if (!last)
        return;
    // The window may have another size by now.
    m_seen = {last->beginNs, last->spanNs, m_seen.width};
    m_isStepping = false;
    repaintLanes();
    Q_EMIT coordinatesChanged();
}

void TimelineView::setHovered(std::optional<Spot> spot)
{
    if (spot == m_hovered)
        return;
    m_hovered = spot;
    viewport()->update();
    Q_EMIT hovered(spot ? QString::fromStdString(describe(*m_model, *spot)) : QString());
}

void TimelineView::setCurrent(std::optional<Spot> spot)
{
    if (spot == m_current)
        return;
    m_current = spot;
    if (spot)
        setAccessibleDescription(QString::fromStdString(describe(*m_model, *spot)));
    viewport()->update();
    Q_EMIT currentChanged();
}

void TimelineView::select(std::optional<Spot> spot)
{
    setCurrent(spot);
    if (!spot) {
        m_selection.clear();
        return;
    }
    ensureSeen(*spot);
    if (spot->slice < 0) {
        m_selection.selectRank(RankId{spot->lane});
        return;
    }
    const Slice &slice = m_model->at({spot->lane, spot->slice});
    m_selection.selectAction({slice.stage, slice.microbatch});
}

void TimelineView::followSelection()
{
    const session::Selected &selected = m_selection.current();
    viewport()->update();
    // A send of the action that is selected stays outlined, rather than its compute.
    if (!m_model || (m_current && selects(selected, *m_model, *m_current)))
        return;
    std::optional<Spot> spot;
    if (selected.action)
        if (const auto ref = m_model->computeOf(selected.action->stage, selected.action->microbatch))
            spot = Spot{ref->lane, ref->slice, -1};
    setCurrent(spot);
    if (spot)
        ensureSeen(*spot);
}

void TimelineView::ensureSeen(Spot spot)
{
    const TimeRange time = timeOf(*m_model, spot);
    const double begin = static_cast<double>(time.beginNs);
    const double end = static_cast<double>(time.endNs);
    Coordinates wanted = m_seen;
    if (end < m_seen.beginNs || begin > m_seen.endNs())
        wanted.beginNs = (begin + end) / 2 - m_seen.spanNs / 2;
    goTo(wanted, Move::SmallStep);
    const LaneGeometry geometry = geometryOfLanes();
    const double top = geometry.laneHeight() * spot.lane;
    QScrollBar *bar = verticalScrollBar();
    if (top < bar->value())
        bar->setValue(static_cast<int>(top));
    else if (top + geometry.laneHeight() > bar->value() + geometry.viewHeight())
        bar->setValue(static_cast<int>(std::ceil(top + geometry.laneHeight() - geometry.viewHeight())));
}

void TimelineView::updateScrollBar()
{
    const LaneGeometry geometry = geometryOfLanes();
    const double beyond = geometry.contentHeight() - geometry.viewHeight();
    verticalScrollBar()->setPageStep(static_cast<int>(geometry.viewHeight()));
    verticalScrollBar()->setSingleStep(static_cast<int>(geometry.laneHeight()));
    verticalScrollBar()->setRange(0, m_model ? std::max(0, static_cast<int>(std::ceil(beyond))) : 0);
}

void TimelineView::repaintLanes()
{
    m_lanes = QPixmap();
    viewport()->update();
}

void TimelineView::paintEvent(QPaintEvent *)
{
    QPainter painter(viewport());
    if (!m_model || m_model->lanes().empty()) {
        painter.fillRect(viewport()->rect(), m_theme->colour(style::Token::Canvas));
        painter.setPen(m_theme->colour(style::Token::Dim));
        painter.drawText(viewport()->rect(), Qt::AlignCenter,
                         tr("No run yet. Run the plan to see what each rank did."));
        return;
    }
    const Scene shown = scene();
    const double ratio = viewport()->devicePixelRatioF();
    // Seldom the same twice while zooming, so painted straight; kept for what only moves the pointer.
    if (m_lanes.isNull() || m_lanes.devicePixelRatioF() != ratio) {
        m_lanes = QPixmap(viewport()->size() * ratio);
        m_lanes.setDevicePixelRatio(ratio);
        QPainter lanes(&m_lanes);
        LanePainter(shown, lanes).paintLanes();
    }
    painter.drawPixmap(0, 0, m_lanes);
    LanePainter(shown, painter).paintOverlay({m_current, m_hovered, m_selection.current().rank, m_measured});
    if (hasFocus()) {
        painter.setPen(m_theme->colour(style::Token::Accent));
        painter.drawRect(QRectF(viewport()->rect()).adjusted(0.5, 0.5, -0.5, -0.5));
    }
}

void TimelineView::resizeEvent(QResizeEvent *)
{
    updateScrollBar();
    m_seen.width = geometryOfLanes().axisWidth();
    repaintLanes();
    Q_EMIT coordinatesChanged();
}

void TimelineView::scrollContentsBy(int, int)
{
    repaintLanes();
}

void TimelineView::focusInEvent(QFocusEvent *event)
{
    QAbstractScrollArea::focusInEvent(event);
    viewport()->update();
}

void TimelineView::focusOutEvent(QFocusEvent *event)
{
    QAbstractScrollArea::focusOutEvent(event);
    viewport()->update();
}

void TimelineView::changeEvent(QEvent *event)
{
    QAbstractScrollArea::changeEvent(event);
    if (event->type() == QEvent::FontChange)
        repaintLanes();
}

} // namespace pipescope::timeline

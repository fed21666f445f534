#include "timeline/timeline_view.h"

#include "timeline/timeline_access.h"
#include "timeline/walk.h"
#include "widgets/export_actions.h"

#include <QEvent>
#include <QScrollBar>
#include <cmath>

namespace pipescope::timeline {

TimelineView::TimelineView(session::Selection &selection, QWidget *parent)
    : QAbstractScrollArea(parent)
    , m_selection(selection)
    , m_plot({[this] { return scene(); }, [this] { return overlay(); }})
{
    installTimelineAccess();
    setViewport(m_plot.widget());
    m_plot.setTheme(*m_theme);
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::StrongFocus);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setMinimumSize(320, 120);
    setAccessibleName(tr("Timeline"));
    widgets::addDrawingActions(*this, *this);
    connect(&m_selection, &session::Selection::changed, this, &TimelineView::followSelection);
    setRuns({});
}

QString TimelineView::keysHint()
{
    return tr("W A S D move and zoom · F fit · M measure · Z zoom to it · Backspace back");
}

void TimelineView::setTrace(std::shared_ptr<const trace::Trace> trace)
{
    setModel(trace ? std::make_shared<const LaneModel>(std::move(trace)) : nullptr);
}

void TimelineView::setModel(std::shared_ptr<const LaneModel> model)
{
    setRuns(model ? std::vector<ShownRun>{{std::move(model), {}}} : std::vector<ShownRun>());
}

void TimelineView::setRuns(std::vector<ShownRun> runs)
{
    m_runs = ShownRuns(std::move(runs));
    endDrag();
    m_history.clear();
    m_isStepping = false;
    setHovered(std::nullopt);
    setCurrent(std::nullopt);
    setAccessibleDescription(m_runs.isEmpty() ? tr("No run yet") : tr("%n ranks", nullptr, m_runs.laneCount()));
    updateScrollBar();
    m_seen = fitted(m_runs.time(), geometryOfLanes().axisWidth());
    followSelection();
    m_plot.changeLanes();
    Q_EMIT runsChanged();
    Q_EMIT coordinatesChanged();
}

void TimelineView::updateRuns(std::vector<ShownRun> runs)
{
    if (m_runs.isEmpty() || runs.empty())
        return setRuns(std::move(runs));
    const bool wasFitted = isFitted();
    // Where a slice stands may be another place now; what was selected is found again.
    setHovered(std::nullopt);
    m_current.reset();
    m_runs = ShownRuns(std::move(runs));
    updateScrollBar();
    const Coordinates all = fitted(m_runs.time(), geometryOfLanes().axisWidth());
    m_seen = wasFitted ? all : clamped({m_seen.beginNs, m_seen.spanNs, all.width}, m_runs.time());
    setCurrent(spotOf(m_selection.current()));
    relate();
    m_plot.changeLanes();
    Q_EMIT runsChanged();
    Q_EMIT coordinatesChanged();
}

std::shared_ptr<const LaneModel> TimelineView::model() const
{
    return m_runs.isEmpty() ? nullptr : m_runs[0].model;
}

void TimelineView::setTheme(const style::Theme &theme)
{
    m_theme = &theme;
    m_plot.setTheme(theme);
    Q_EMIT themeChanged();
}

bool TimelineView::isFitted() const
{
    return m_seen == fitted(m_runs.time(), m_seen.width);
}

LaneGeometry TimelineView::geometryOf(QSizeF size, double scroll) const
{
    LaneGeometry geometry;
    geometry.width = size.width();
    geometry.height = size.height();
    geometry.lanes = m_runs.laneCount();
    geometry.rows = std::max(1, m_runs.count());
    geometry.hasMemory = m_runs.peakBytes() > 0;
    geometry.scroll = scroll;
    return geometry;
}

LaneGeometry TimelineView::geometryOfLanes() const
{
    return geometryOf(viewport()->size(), verticalScrollBar()->value());
}

void TimelineView::goTo(const Coordinates &coordinates, Move move)
{
    if (m_runs.isEmpty())
        return;
    const Coordinates wanted = clamped(coordinates, m_runs.time());
    if (wanted == m_seen)
        return;
    if (move == Move::Jump || !m_isStepping)
        m_history.push(m_seen);
    m_isStepping = move == Move::SmallStep;
    m_seen = wanted;
    m_plot.changeLanes();
    Q_EMIT coordinatesChanged();
}

void TimelineView::fitRun()
{
    goTo(fitted(m_runs.time(), m_seen.width), Move::Jump);
}

void TimelineView::fitCurrent()
{
    const auto *span = std::get_if<session::SelectedSpan>(&m_selection.current());
    if (m_runs.isEmpty() || !(m_current || span != nullptr))
        return;
    const trace::TimeRange time =
        m_current ? timeOf(m_runs.modelOf(*m_current), *m_current) : trace::TimeRange{span->beginNs, span->endNs};
    const double room = std::max(LeastSpanNs, time.spanNs() * (m_current ? 0.5 : 0.02));
    goTo({static_cast<double>(time.beginNs) - room, time.spanNs() + 2 * room, m_seen.width}, Move::Jump);
}

void TimelineView::showTimes(double beginNs, double spanNs)
{
    goTo({beginNs, spanNs, m_seen.width}, Move::SmallStep);
}

void TimelineView::zoomBack()
{
    const std::optional<Coordinates> last = m_history.takeBack();
    if (!last)
        return;
    // The window may have another size by now.
    m_seen = {last->beginNs, last->spanNs, m_seen.width};
    m_isStepping = false;
    m_plot.changeLanes();
    Q_EMIT coordinatesChanged();
}

void TimelineView::ensureSeen(Spot spot)
{
    const trace::TimeRange time = timeOf(m_runs.modelOf(spot), spot);
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
    verticalScrollBar()->setRange(0, m_runs.isEmpty() ? 0 : std::max(0, static_cast<int>(std::ceil(beyond))));
}

void TimelineView::resizeEvent(QResizeEvent *)
{
    updateScrollBar();
    m_seen.width = geometryOfLanes().axisWidth();
    m_plot.resize();
    Q_EMIT coordinatesChanged();
}

void TimelineView::scrollContentsBy(int, int)
{
    m_plot.changeLanes();
}

void TimelineView::focusInEvent(QFocusEvent *event)
{
    QAbstractScrollArea::focusInEvent(event);
    m_plot.changeOverlay();
}

void TimelineView::focusOutEvent(QFocusEvent *event)
{
    QAbstractScrollArea::focusOutEvent(event);
    m_plot.changeOverlay();
}

void TimelineView::changeEvent(QEvent *event)
{
    QAbstractScrollArea::changeEvent(event);
    if (event->type() == QEvent::FontChange)
        m_plot.setTheme(*m_theme); // its letters are of this font
}

} // namespace pipescope::timeline

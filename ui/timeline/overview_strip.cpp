#include "timeline/overview_strip.h"

#include <QMouseEvent>
#include <QPainter>
#include <QWheelEvent>
#include <cmath>

namespace pipescope::timeline {

namespace {

using style::Token;

constexpr double Edge = 5; // how near to an edge of the frame it is meant
constexpr double Room = 6; // above and below

} // namespace

OverviewStrip::OverviewStrip(TimelineView &view, QWidget *parent)
    : QWidget(parent)
    , m_view(view)
{
    setObjectName("overview");
    setAccessibleName(tr("Overview of the whole run"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setMouseTracking(true);
    setAttribute(Qt::WA_OpaquePaintEvent);
    connect(&m_view, &TimelineView::coordinatesChanged, this, qOverload<>(&OverviewStrip::update));
    connect(&m_view, &TimelineView::runsChanged, this, &OverviewStrip::repaintRuns);
    connect(&m_view, &TimelineView::themeChanged, this, &OverviewStrip::repaintRuns);
}

QRectF OverviewStrip::area() const
{
    return {LaneGeometry::HeaderWidth, Room, m_view.coordinates().width, height() - 2 * Room};
}

Coordinates OverviewStrip::coordinates() const
{
    return fitted(m_view.runs().time(), m_view.coordinates().width);
}

QRectF OverviewStrip::frame() const
{
    const Coordinates all = coordinates();
    const QRectF place = area();
    const double left = std::clamp(all.toPixel(m_view.coordinates().beginNs), 0.0, place.width());
    const double right = std::clamp(all.toPixel(m_view.coordinates().endNs()), left, place.width());
    return {place.left() + left, place.top(), right - left, place.height()};
}

void OverviewStrip::repaintRuns()
{
    m_runs = QPixmap();
    update();
}

void OverviewStrip::resizeEvent(QResizeEvent *)
{
    repaintRuns();
}

void OverviewStrip::paintRuns(QPainter &painter) const
{
    const ShownRuns &runs = m_view.runs();
    const QRectF place = area().adjusted(0, 3, 0, -3);
    const int rows = std::max(1, runs.laneCount() * runs.count());
    const double rowHeight = place.height() / rows;
    const Coordinates all = coordinates();
    std::vector<Bar> bars;
    for (int row = 0; row < rows; ++row) {
        const LaneLook *lane = runs.look(row % runs.count(), row / runs.count());
        if (lane == nullptr)
            continue;
        bars.clear();
        lane->work.collect(all, bars);
        const double top = place.top() + rowHeight * row;
        const double high = std::max(1.0, rowHeight - (rowHeight > 3 ? 1 : 0));
        for (const Bar &bar : bars)
            if (bar.kind == trace::EventKind::Compute)
                painter.fillRect(QRectF(place.left() + bar.left, top, std::max(1.0, bar.right - bar.left), high),
                                 m_view.theme().colour(bar.stage));
    }
}

void OverviewStrip::paintEvent(QPaintEvent *)
{
    const style::Theme &theme = m_view.theme();
    QPainter painter(this);
    painter.fillRect(rect(), theme.colour(Token::Canvas));
    if (m_view.runs().laneCount() == 0)
        return;
    const double ratio = devicePixelRatioF();
    if (m_runs.isNull() || m_runs.devicePixelRatioF() != ratio) {
        m_runs = QPixmap(size() * ratio);
        m_runs.setDevicePixelRatio(ratio);
        m_runs.fill(theme.colour(Token::Canvas));
        QPainter onto(&m_runs);
        paintRuns(onto);
    }
    painter.drawPixmap(0, 0, m_runs);
    QFont small = font();
    small.setPixelSize(11);
    painter.setFont(small);
    painter.setPen(theme.colour(Token::Dim));
    painter.drawText(QRectF(10, 0, LaneGeometry::HeaderWidth - 12, height()), Qt::AlignLeft | Qt::AlignVCenter,
                     tr("overview"));
    painter.setPen(theme.colour(Token::Line));
    painter.drawRect(area().adjusted(0.5, 0.5, -1.5, -0.5));
    // What is not seen is veiled, what is seen is framed.
    QColor veil = theme.colour(Token::Canvas);
    veil.setAlphaF(0.6F);
    const QRectF seen = frame();
    painter.fillRect(QRectF(area().topLeft(), QPointF(seen.left(), seen.bottom())), veil);
    painter.fillRect(QRectF(QPointF(seen.right(), seen.top()), area().bottomRight()), veil);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(theme.colour(Token::Accent), 1.5));
    painter.setBrush(Qt::NoBrush);
    painter.drawRoundedRect(seen.adjusted(0.75, 0.75, -1.75, -0.75), 3, 3);
}

OverviewStrip::Drag OverviewStrip::dragAt(double x) const
{
    const QRectF seen = frame();
    // Of a narrow frame there is only the whole to be dragged.
    const double edge = std::min(Edge, seen.width() / 3);
    if (std::abs(x - seen.left()) <= edge)
        return Drag::Begin;
    if (std::abs(x - seen.right()) <= edge)
        return Drag::End;
    return Drag::Frame;
}

void OverviewStrip::mousePressEvent(QMouseEvent *event)
{
    if (event->button() != Qt::LeftButton || m_view.runs().isEmpty())
        return;
    const double x = event->position().x();
    m_pressedNs = coordinates().toTime(x - area().left());
    m_drag = dragAt(x);
    // Beside the frame: it comes there, and can be dragged on.
    const QRectF seen = frame();
    if (m_drag == Drag::Frame && (x < seen.left() || x > seen.right()))
        m_view.showTimes(m_pressedNs - m_view.coordinates().spanNs / 2, m_view.coordinates().spanNs);
    m_seenWhenPressed = m_view.coordinates();
}

void OverviewStrip::mouseMoveEvent(QMouseEvent *event)
{
    const double x = event->position().x();
    if (m_drag == Drag::None) {
        setCursor(m_view.runs().isEmpty()    ? Qt::ArrowCursor
                  : dragAt(x) == Drag::Frame ? Qt::OpenHandCursor
                                             : Qt::SizeHorCursor);
        return;
    }
    const Coordinates &was = m_seenWhenPressed;
    const double moved = coordinates().toTime(x - area().left()) - m_pressedNs;
    if (m_drag == Drag::Frame)
        m_view.showTimes(was.beginNs + moved, was.spanNs);
    else if (m_drag == Drag::Begin)
        m_view.showTimes(std::min(was.beginNs + moved, was.endNs() - LeastSpanNs),
                         std::max(LeastSpanNs, was.spanNs - moved));
    else
        m_view.showTimes(was.beginNs, std::max(LeastSpanNs, was.spanNs + moved));
}

void OverviewStrip::mouseReleaseEvent(QMouseEvent *)
{
    m_drag = Drag::None;
}

void OverviewStrip::wheelEvent(QWheelEvent *event)
{
    constexpr double perNotch = 1.25;
    constexpr double notch = 120;
    const Coordinates &seen = m_view.coordinates();
    const double factor = std::pow(perNotch, event->angleDelta().y() / notch);
    const double middle = coordinates().toTime(event->position().x() - area().left());
    m_view.showTimes(middle - seen.spanNs / factor / 2, seen.spanNs / factor);
    event->accept();
}

} // namespace pipescope::timeline

// The part of LanePainter that is painted anew while a pointer moves.
#include "timeline/hover_card.h"
#include "timeline/lane_painter.h"
#include "timeline/related_slices.h"
#include "timeline/walk.h"
#include "trace/explain/cause_chain.h"
#include "widgets/number_text.h"

#include <QFontMetricsF>
#include <QPainter>
#include <QPainterPath>
#include <cmath>

namespace pipescope::timeline {

using style::Token;

namespace {

Spot spotOf(trace::SliceRef ref, int run)
{
    return {ref.lane, ref.slice, -1, run};
}

} // namespace

void LanePainter::paintOverlay(const Overlay &overlay)
{
    if (overlay.related != nullptr)
        overlay.related->paint(m_painter, m_scene);
    m_painter.save();
    if (overlay.rank.valid() && overlay.rank.value < m_scene.geometry.lanes) {
        const LaneGeometry &geometry = m_scene.geometry;
        m_painter.setClipRect(QRectF(0, LaneGeometry::RulerHeight, LaneGeometry::HeaderWidth, geometry.viewHeight()));
        m_painter.setPen(QPen(m_scene.theme.colour(Token::Accent), 2));
        m_painter.setBrush(Qt::NoBrush);
        m_painter.drawRect(geometry.header(overlay.rank.value).adjusted(1, 1, -7, -1));
    }
    // What begins with the run has its outline left of the axis.
    m_painter.setClipRect(m_scene.geometry.axis().adjusted(-2, 0, 0, 0));
    m_painter.setRenderHint(QPainter::Antialiasing);
    // Pens of rectangles far beyond the edges would be walked dash by dash.
    const QRectF bounds = m_scene.geometry.axis().adjusted(-8, -8, 8, 8);
    const auto outline = [&](Spot spot, const QPen &pen) {
        const QRectF rect = rectOf(spot) & bounds;
        if (rect.isEmpty())
            return;
        m_painter.setPen(pen);
        m_painter.setBrush(Qt::NoBrush);
        m_painter.drawRoundedRect(rect.adjusted(-1, -1, 0, 1), 2, 2);
    };
    if (overlay.hovered)
        outline(*overlay.hovered, QPen(m_scene.theme.colour(Token::Text), 1));
    if (overlay.current) {
        outline(*overlay.current, QPen(m_scene.theme.colour(Token::Accent), 2));
        paintDependencies(*overlay.current);
    }
    if (overlay.hovered && !overlay.card.isEmpty() && overlay.hovered != overlay.current)
        paintDependencies(*overlay.hovered);
    if (overlay.measured)
        paintMeasure(overlay.measured->first, overlay.measured->second, overlay.measuredRank);
    m_painter.restore();
    if (overlay.hovered && !overlay.card.isEmpty())
        paintHoverCard(m_painter, m_scene, overlay.card, rectOf(*overlay.hovered));
    if (overlay.isFocused) {
        m_painter.setPen(m_scene.theme.colour(Token::Accent));
        m_painter.drawRect(
            QRectF(0, 0, m_scene.geometry.width, m_scene.geometry.height).adjusted(0.5, 0.5, -0.5, -0.5));
    }
}

void LanePainter::paintDependencies(Spot spot)
{
    const LaneModel &model = m_scene.runs.modelOf(spot);
    if (spot.slice < 0) {
        const trace::Lane &lane = model.lanes()[static_cast<std::size_t>(spot.lane)];
        const std::vector<trace::SliceRef> chain =
            chainOf(model, lane, lane.bubbles[static_cast<std::size_t>(spot.bubble)]);
        for (std::size_t i = 0; i < chain.size(); ++i) {
            const bool isLast = i + 1 == chain.size();
            const QRectF to = isLast ? rectOf(spot) : rectOf(spotOf(chain[i + 1], spot.run));
            // A bubble ends where what it waited for came in.
            paintArrow(rectOf(spotOf(chain[i], spot.run)), isLast ? to.translated(to.width(), 0) : to, Qt::SolidLine);
        }
        return;
    }
    const trace::SliceRef ref{spot.lane, spot.slice};
    for (const trace::SliceRef cause : model.dependencies().causesOf(model, ref))
        paintArrow(rectOf(spotOf(cause, spot.run)), rectOf(spot), Qt::SolidLine);
    for (const trace::SliceRef effect : model.dependencies().effectsOf(model, ref))
        paintArrow(rectOf(spot), rectOf(spotOf(effect, spot.run)), Qt::DashLine);
}

void LanePainter::paintArrow(const QRectF &from, const QRectF &to, Qt::PenStyle style)
{
    // What lies far outside is brought near: the direction stays, and no pen walks millions of pixels.
    const QRectF axis = m_scene.geometry.axis();
    const auto near = [&](double x) { return std::clamp(x, axis.left() - 400, axis.right() + 400); };
    const double right = near(from.right());
    const double left = near(to.left());
    QPainterPath line;
    QPolygonF head;
    if (from.top() == to.top()) {
        // On one lane it goes below the bars between, not through their labels.
        const double below = from.bottom() + 3;
        line.moveTo(right - 3, from.bottom() - 4);
        line.lineTo(right - 3, below);
        line.lineTo(left + 5, below);
        line.lineTo(left + 5, to.bottom() - 2);
        head << QPointF(left + 5, to.bottom() - 9) << QPointF(left + 0.5, to.bottom() - 1)
             << QPointF(left + 9.5, to.bottom() - 1);
    } else {
        // Out of the one edge and into the other, level at both ends; the line ends inside the head, not at its tip.
        const QPointF start(right, from.center().y());
        const QPointF tip(left, to.center().y());
        const QPointF neck = tip - QPointF(6, 0);
        const double bend = std::max(14.0, std::abs(left - right) / 2);
        line.moveTo(start);
        line.cubicTo(start + QPointF(bend, 0), neck - QPointF(bend, 0), neck);
        head << tip << tip + QPointF(-8, -4.5) << tip + QPointF(-8, 4.5);
    }
    // A seam of the ground's colour keeps the line apart from bars of any colour.
    m_painter.setBrush(Qt::NoBrush);
    m_painter.setPen(QPen(m_scene.theme.colour(Token::Canvas), 4, Qt::SolidLine, Qt::FlatCap));
    m_painter.drawPath(line);
    m_painter.setPen(QPen(m_scene.theme.colour(Token::Accent), 1.6, style));
    m_painter.drawPath(line);
    m_painter.setPen(QPen(m_scene.theme.colour(Token::Canvas), 1));
    m_painter.setBrush(m_scene.theme.colour(Token::Accent));
    m_painter.drawPolygon(head);
}

void LanePainter::paintMeasure(double oneNs, double otherNs, RankId rank)
{
    const QRectF axis = m_scene.geometry.axis();
    const double beginNs = std::min(oneNs, otherNs);
    const double endNs = std::max(oneNs, otherNs);
    const double left = std::clamp(axis.left() + m_scene.seen.toPixel(beginNs), axis.left(), axis.right());
    const double right = std::clamp(axis.left() + m_scene.seen.toPixel(endNs), axis.left(), axis.right());
    QColor veil = m_scene.theme.colour(Token::Accent);
    veil.setAlphaF(0.12F);
    QRectF ground(left, axis.top(), right - left, axis.height());
    if (rank.valid()) {
        const QRectF lane = m_scene.geometry.header(rank.value);
        ground = QRectF(left, lane.top(), right - left, lane.height()) & axis;
    }
    m_painter.fillRect(ground, veil);
    m_painter.setPen(QPen(m_scene.theme.colour(Token::Accent), 1));
    for (const double x : {left, right})
        m_painter.drawLine(QPointF(x, ground.top()), QPointF(x, ground.bottom()));
    QFont font = m_scene.font;
    font.setPixelSize(12);
    m_painter.setFont(font);
    const QString text = widgets::nanosecondsText(endNs - beginNs);
    const double width = QFontMetricsF(font).horizontalAdvance(text) + 16;
    const double middle = std::max(axis.left() + width / 2, std::min((left + right) / 2, axis.right() - width / 2));
    const QRectF card(middle - width / 2, ground.top() + 4, width, 22);
    m_painter.setPen(m_scene.theme.colour(Token::Line));
    m_painter.setBrush(m_scene.theme.colour(Token::Raised));
    m_painter.drawRoundedRect(card, 4, 4);
    m_painter.setPen(m_scene.theme.colour(Token::Text));
    m_painter.drawText(card, Qt::AlignCenter, text);
}

} // namespace pipescope::timeline

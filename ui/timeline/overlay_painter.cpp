// The part of LanePainter that is painted anew while a pointer moves.
#include "base/text.h"
#include "timeline/cause_chain.h"
#include "timeline/lane_painter.h"
#include "timeline/walk.h"

#include <QFontMetricsF>
#include <QPainter>
#include <QPainterPath>
#include <cmath>

namespace pipescope::timeline {

using style::Token;

void LanePainter::paintOverlay(const Overlay &overlay)
{
    m_painter.save();
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
    if (overlay.measured)
        paintMeasure(overlay.measured->first, overlay.measured->second);
    m_painter.restore();
}

void LanePainter::paintDependencies(Spot spot)
{
    const LaneModel &model = m_scene.model;
    const QRectF here = rectOf(spot);
    const QPointF arrival(here.left(), here.center().y());
    if (spot.slice < 0) {
        const Lane &lane = model.lanes()[static_cast<std::size_t>(spot.lane)];
        const std::vector<SliceRef> chain = chainOf(model, lane, lane.bubbles[static_cast<std::size_t>(spot.bubble)]);
        for (std::size_t i = 0; i < chain.size(); ++i) {
            const QRectF from = rectOf({chain[i].lane, chain[i].slice, -1});
            const bool isLast = i + 1 == chain.size();
            const QRectF to = isLast ? here : rectOf({chain[i + 1].lane, chain[i + 1].slice, -1});
            // A bubble ends where what it waited for came in.
            paintArrow({from.right(), from.center().y()}, {isLast ? to.right() : to.left(), to.center().y()},
                       Qt::SolidLine);
        }
        return;
    }
    const SliceRef ref{spot.lane, spot.slice};
    for (const SliceRef producer : model.dependencies().producersOf(model, ref)) {
        const QRectF there = rectOf({producer.lane, producer.slice, -1});
        paintArrow({there.right(), there.center().y()}, arrival, Qt::SolidLine);
    }
    for (const SliceRef consumer : model.dependencies().consumersOf(model, ref)) {
        const QRectF there = rectOf({consumer.lane, consumer.slice, -1});
        paintArrow({here.right(), here.center().y()}, {there.left(), there.center().y()}, Qt::DashLine);
    }
}

void LanePainter::paintArrow(QPointF from, QPointF to, Qt::PenStyle style)
{
    // What lies far outside is brought near: the direction stays, and no pen walks millions of pixels.
    const QRectF axis = m_scene.geometry.axis();
    const auto near = [&](QPointF point) {
        return QPointF(std::clamp(point.x(), axis.left() - 400, axis.right() + 400), point.y());
    };
    from = near(from);
    to = near(to);
    // Out of the one edge and into the other, level at both ends.
    const double bend = std::max(14.0, std::abs(to.x() - from.x()) / 2);
    // The line ends inside the head, not at its tip.
    const QPointF neck = to - QPointF(6, 0);
    QPainterPath curve(from);
    curve.cubicTo(from + QPointF(bend, 0), neck - QPointF(bend, 0), neck);
    const QColor accent = m_scene.theme.colour(Token::Accent);
    // A seam of the ground's colour keeps the line apart from bars of any colour.
    m_painter.setBrush(Qt::NoBrush);
    m_painter.setPen(QPen(m_scene.theme.colour(Token::Canvas), 4, Qt::SolidLine, Qt::FlatCap));
    m_painter.drawPath(curve);
    m_painter.setPen(QPen(accent, 1.6, style));
    m_painter.drawPath(curve);
    const QPolygonF head{to, to + QPointF(-8, -4.5), to + QPointF(-8, 4.5)};
    m_painter.setPen(QPen(m_scene.theme.colour(Token::Canvas), 1));
    m_painter.setBrush(accent);
    m_painter.drawPolygon(head);
}

void LanePainter::paintMeasure(double oneNs, double otherNs)
{
    const QRectF axis = m_scene.geometry.axis();
    const double beginNs = std::min(oneNs, otherNs);
    const double endNs = std::max(oneNs, otherNs);
    const double left = std::clamp(axis.left() + m_scene.seen.toPixel(beginNs), axis.left(), axis.right());
    const double right = std::clamp(axis.left() + m_scene.seen.toPixel(endNs), axis.left(), axis.right());
    QColor veil = m_scene.theme.colour(Token::Accent);
    veil.setAlphaF(0.18F);
    m_painter.fillRect(QRectF(left, axis.top(), right - left, axis.height()), veil);
    m_painter.setPen(QPen(m_scene.theme.colour(Token::Accent), 1));
    for (const double x : {left, right})
        m_painter.drawLine(QPointF(x, axis.top()), QPointF(x, axis.bottom()));
    QFont font = m_scene.font;
    font.setPixelSize(12);
    m_painter.setFont(font);
    const QString text = QString::fromStdString(formatSeconds((endNs - beginNs) * 1e-9));
    const double width = QFontMetricsF(font).horizontalAdvance(text) + 16;
    const double middle = std::clamp((left + right) / 2, axis.left() + width / 2, axis.right() - width / 2);
    const QRectF card(middle - width / 2, axis.top() + 4, width, 22);
    m_painter.setPen(m_scene.theme.colour(Token::Line));
    m_painter.setBrush(m_scene.theme.colour(Token::Raised));
    m_painter.drawRoundedRect(card, 4, 4);
    m_painter.setPen(m_scene.theme.colour(Token::Text));
    m_painter.drawText(card, Qt::AlignCenter, text);
}

} // namespace pipescope::timeline

#include "graphview/ground_cache.h"

#include <QPainter>
#include <cmath>

namespace pipescope::graphview {

void GroundCache::paint(QPainter &painter, const Viewport &viewport, double around, const Draw &draw)
{
    const double ratio = painter.device()->devicePixelRatioF();
    const QSize size = (viewport.size() * ratio).toSize();
    const QPointF way = (m_at.origin() - viewport.origin()) * viewport.zoom() * ratio;
    const QPoint pixels = way.toPoint();
    const bool same = m_pixmap.size() == size && m_pixmap.devicePixelRatio() == ratio && m_at.zoom() == viewport.zoom();
    const bool whole = (way - pixels).manhattanLength() < 0.05;
    const bool near = std::abs(pixels.x()) < size.width() && std::abs(pixels.y()) < size.height();
    if (!same || !whole || !near) {
        m_pixmap = QPixmap(size);
        m_pixmap.fill(Qt::transparent); // gives it an alpha channel
        m_pixmap.setDevicePixelRatio(ratio);
        drawPart(QRect({0, 0}, size), viewport, around, draw);
        m_at = viewport;
    } else if (!pixels.isNull()) {
        m_pixmap.scroll(pixels.x(), pixels.y(), QRect({0, 0}, size));
        m_at = viewport;
        if (const int x = pixels.x(); x != 0)
            drawPart({x > 0 ? 0 : size.width() + x, 0, std::abs(x), size.height()}, viewport, around, draw);
        if (const int y = pixels.y(); y != 0)
            drawPart({0, y > 0 ? 0 : size.height() + y, size.width(), std::abs(y)}, viewport, around, draw);
    }
    painter.drawPixmap(QPointF(0, 0), m_pixmap);
}

// The part and what is around it is asked for, so that lines and texts that reach in are whole.
void GroundCache::drawPart(const QRect &pixels, const Viewport &viewport, double around, const Draw &draw)
{
    const double ratio = m_pixmap.devicePixelRatio();
    const QRectF place(QPointF(pixels.topLeft()) / ratio, QSizeF(pixels.size()) / ratio);
    QPainter painter(&m_pixmap);
    painter.setClipRect(place);
    painter.setCompositionMode(QPainter::CompositionMode_Source);
    painter.fillRect(place, Qt::transparent);
    painter.setCompositionMode(QPainter::CompositionMode_SourceOver);
    const QRectF asked = place.adjusted(-around, -around, around, around);
    Viewport part = viewport;
    part.setSize(asked.size());
    part.hold(viewport.toScene(asked.topLeft()), {0, 0});
    painter.translate(asked.topLeft());
    draw(painter, part);
}

} // namespace pipescope::graphview

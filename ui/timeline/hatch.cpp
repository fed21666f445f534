#include "timeline/hatch.h"

#include <QPainter>
#include <cmath>

namespace pipescope::timeline {

QPixmap hatchTile(const style::Theme &theme, Hatch hatch, double devicePixelRatio)
{
    // A multiple of both distances, so that tiles join.
    constexpr int size = 96;
    const int step = hatch == Hatch::Rising ? 8 : 6;
    QPixmap tile(static_cast<int>(std::lround(size * devicePixelRatio)),
                 static_cast<int>(std::lround(size * devicePixelRatio)));
    tile.setDevicePixelRatio(devicePixelRatio);
    tile.fill(theme.colour(style::Token::Canvas));
    QPainter painter(&tile);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(theme.colour(hatch == Hatch::Rising ? style::Token::Line : style::Token::Faint), 1));
    for (int x = -size; x <= 2 * size; x += step) {
        if (hatch == Hatch::Rising)
            painter.drawLine(QPointF(x, size), QPointF(x + size, 0));
        else
            painter.drawLine(QPointF(x, 0), QPointF(x + size, size));
    }
    return tile;
}

} // namespace pipescope::timeline

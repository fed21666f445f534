#include "shardview/shard_textures.h"

#include <QPainter>
#include <QPixmapCache>
#include <cmath>

namespace pipescope::shardview {

using style::Token;

namespace {

constexpr float PatternAlpha = 0.35F; ///< or the number could not be read
constexpr float HatchAlpha = 0.6F;
constexpr int TileSize = 96; ///< that of patterns and of the hatching go into it

QColor inkOf(const style::Theme &theme, float alpha)
{
    QColor ink = theme.colour(Token::Ink);
    ink.setAlphaF(alpha);
    return ink;
}

/// From the cache, else as `draw` draws it on `ground`.
template <class Draw>
QPixmap tileOf(const QString &name, double ratio, const QColor &ground, const Draw &draw)
{
    const QString key = QStringLiteral("shards/%1/%2").arg(name).arg(ratio);
    QPixmap tile;
    if (QPixmapCache::find(key, &tile))
        return tile;
    const int side = static_cast<int>(std::lround(TileSize * ratio));
    tile = QPixmap(side, side);
    tile.setDevicePixelRatio(ratio);
    tile.fill(ground);
    QPainter painter(&tile);
    draw(painter);
    painter.end();
    QPixmapCache::insert(key, tile);
    return tile;
}

} // namespace

QColor hatchInk(const style::Theme &theme)
{
    return inkOf(theme, HatchAlpha);
}

QColor patternInk(const style::Theme &theme)
{
    return inkOf(theme, PatternAlpha);
}

QPixmap rankTile(const style::Theme &theme, RankId rank, double devicePixelRatio)
{
    const QColor colour = theme.colour(rank);
    const Qt::BrushStyle pattern = style::Theme::patternOf(rank);
    return tileOf(QStringLiteral("%1-%2").arg(colour.name()).arg(static_cast<int>(pattern)), devicePixelRatio, colour,
                  [&](QPainter &painter) {
                      painter.fillRect(QRect(0, 0, TileSize, TileSize), QBrush(patternInk(theme), pattern));
                  });
}

QPixmap hatchTile(const style::Theme &theme, double devicePixelRatio)
{
    return tileOf("hatch" + hatchInk(theme).name(), devicePixelRatio, Qt::transparent, [&](QPainter &painter) {
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(QPen(hatchInk(theme), 1));
        for (double x = 0; x < 2 * TileSize; x += HatchStep)
            painter.drawLine(QPointF(x, 0), QPointF(x - TileSize, TileSize));
    });
}

} // namespace pipescope::shardview

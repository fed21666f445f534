// What does not move with the graph: the minimap over it, and the choice of overlay with its legend below it.
#pragma once

#include "graphview/graph_painter.h"

#include <QPixmap>

namespace pipescope::graphview {

/// The whole scene in a corner; far thinner scenes than the corner are stretched. What is written on boxes under it is
/// read through it, until the pointer comes.
class Minimap
{
public:
    /// Where it is read through.
    static constexpr double Opacity = 0.35;

    /// Forget what was drawn: the scene, its stages or the theme changed.
    void reset() { m_cache = {}; }
    void paint(QPainter &painter, const Picture &picture, const Viewport &viewport, const Look &look);
    /// The lower right corner, or the upper one where fewer boxes are seen there; it stays there until it is asked
    /// again.
    void chooseCorner(const Picture &picture, const Viewport &viewport);
    /// The lower right corner.
    void resetCorner() { m_corner = Qt::BottomRightCorner; }
    /// On the screen.
    [[nodiscard]] QRectF place(const Viewport &viewport) const { return placeIn(m_corner, viewport); }
    /// The scene's point that a point of it shows.
    [[nodiscard]] QPointF toScene(const Picture &picture, const Viewport &viewport, QPointF screen) const;
    /// Says whether it looks different now.
    bool setPointer(const Viewport &viewport, std::optional<QPointF> screen);

private:
    [[nodiscard]] static QRectF placeIn(Qt::Corner corner, const Viewport &viewport);
    [[nodiscard]] static QPixmap drawn(const Picture &picture, const Look &look, double ratio);

    QPixmap m_cache;
    Qt::Corner m_corner = Qt::BottomRightCorner;
    bool m_givesWay = false; // to boxes under it
    bool m_hasPointer = false;
};

/// The buttons of the overlays and what the chosen one means, in a row below what is seen of the graph.
class Legend
{
public:
    static constexpr double Height = 30; ///< the canvas is so much higher than its viewport

    void paint(QPainter &painter, TextCache &texts, const Viewport &viewport, const Look &look, int stages);
    /// The overlay whose button is there, if any.
    [[nodiscard]] static std::optional<Overlay> buttonAt(const Viewport &viewport, QPointF screen);
    [[nodiscard]] static QRectF place(const Viewport &viewport);
    [[nodiscard]] static QRectF buttonPlace(const Viewport &viewport, Overlay overlay);

private:
    static void paintButtons(QPainter &painter, TextCache &texts, const Viewport &viewport, const Look &look);
    static void paintStages(QPainter &painter, TextCache &texts, const QRectF &room, const Look &look, int stages);
};

} // namespace pipescope::graphview

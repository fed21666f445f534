// What does not move with the graph: the minimap over it, and the choice of overlay with its legend below it.
#pragma once

#include "graphview/graph_painter.h"

#include <QPixmap>

namespace pipescope::graphview {

/// The whole scene in a corner; far thinner scenes than the corner are stretched.
class Minimap
{
public:
    /// Forget what was drawn: the scene, its stages or the theme changed.
    void reset() { m_cache = {}; }
    void paint(QPainter &painter, const Picture &picture, const Viewport &viewport, const Look &look);
    /// On the screen.
    [[nodiscard]] static QRectF place(const Viewport &viewport);
    /// The scene's point that a point of it shows.
    [[nodiscard]] static QPointF toScene(const Picture &picture, const Viewport &viewport, QPointF screen);

private:
    QPixmap m_cache;
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

// Which part of the scene is seen and how large: scene to screen and back. No widget.
#pragma once

#include <QPointF>
#include <QRectF>
#include <QSizeF>
#include <array>

namespace pipescope::graphview {

class Viewport
{
public:
    static constexpr double LeastZoom = 0.0001;
    static constexpr double MostZoom = 4;

    [[nodiscard]] double zoom() const { return m_zoom; }
    [[nodiscard]] QSizeF size() const { return m_size; } ///< on the screen
    /// The scene's point in the screen's top left corner.
    [[nodiscard]] QPointF origin() const { return m_origin; }
    [[nodiscard]] QRectF visible() const { return {m_origin, m_size / m_zoom}; }
    [[nodiscard]] QPointF toScreen(QPointF scene) const { return (scene - m_origin) * m_zoom; }
    [[nodiscard]] QRectF toScreen(const QRectF &scene) const
    {
        return {toScreen(scene.topLeft()), scene.size() * m_zoom};
    }
    [[nodiscard]] QPointF toScene(QPointF screen) const { return m_origin + screen / m_zoom; }

    void setSize(QSizeF size) { m_size = size; }
    /// What stands over the picture in a corner, on the screen: fit() and reveal() keep clear of it where there is
    /// room, showStart() where it is at the right. Empty for nothing.
    void setCovered(const QRectF &screen) { m_covered = screen; }
    /// The scene's point under `screen` stays there.
    void zoomAt(QPointF screen, double factor);
    /// Moves what is seen along with the pointer.
    void panBy(QPointF screen) { m_origin -= screen / m_zoom; }
    /// All of it, no larger than drawn: in the middle, or beside what covers it there where it stays nearly as large.
    void fit(const QRectF &scene);
    /// From the top, readable: fit() where that can be read, else the upper end.
    void showStart(const QRectF &scene);
    /// The scene's `left` comes to stand at the left, `margin` pixels in; up and down nothing moves.
    void beginAt(double left, double margin);
    /// How much of the scene is seen from left to right, but for `leftMargin` pixels and the right margin.
    [[nodiscard]] double columnsSeen(double leftMargin) const;
    /// How much of that is covered nowhere; all of it where that is less than half.
    [[nodiscard]] double columnsClear(double leftMargin) const;
    void centreOn(QPointF scene);
    /// Moves as little as needed to see all of it and nothing over it, or its top left corner where it is too large.
    void reveal(const QRectF &scene);
    /// Moves back so far that some of the scene is seen.
    void keepInSight(const QRectF &scene);
    /// The scene's point comes to stand under `screen`.
    void hold(QPointF scene, QPointF screen) { m_origin = scene - screen / m_zoom; }

private:
    /// On the screen, without its margins.
    [[nodiscard]] QRectF room() const;
    /// The parts of it above, left of, below and right of what is covered; some have no width or height.
    [[nodiscard]] std::array<QRectF, 4> clearRooms() const;
    [[nodiscard]] bool isClear(const QRectF &screen) const;

    QSizeF m_size{640, 480};
    QRectF m_covered;
    QPointF m_origin;
    double m_zoom = 1;
};

} // namespace pipescope::graphview

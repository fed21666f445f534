#include "graphview/viewport.h"

#include <algorithm>

namespace pipescope::graphview {

namespace {

constexpr double Margin = 24; // of the screen
constexpr double Readable = 0.8;
constexpr double Sight = 60; // of the scene, at least, on the screen

} // namespace

void Viewport::zoomAt(QPointF screen, double factor)
{
    const QPointF held = toScene(screen);
    m_zoom = std::clamp(m_zoom * factor, LeastZoom, MostZoom);
    hold(held, screen);
}

void Viewport::fit(const QRectF &scene)
{
    const double width = std::max(1.0, m_size.width() - 2 * Margin);
    const double height = std::max(1.0, m_size.height() - 2 * Margin);
    m_zoom = std::clamp(std::min(width / std::max(1.0, scene.width()), height / std::max(1.0, scene.height())),
                        LeastZoom, 1.0);
    centreOn(scene.center());
}

void Viewport::showStart(const QRectF &scene)
{
    fit(scene);
    if (m_zoom >= Readable)
        return;
    m_zoom = std::clamp((m_size.width() - 2 * Margin) / std::max(1.0, scene.width()), Readable, 1.0);
    hold({scene.center().x(), scene.top()}, {m_size.width() / 2, Margin});
}

void Viewport::beginAt(double left, double margin)
{
    m_origin.setX(left - margin / m_zoom);
}

double Viewport::columnsSeen(double leftMargin) const
{
    return std::max(1.0, m_size.width() - leftMargin - Margin) / m_zoom;
}

void Viewport::centreOn(QPointF scene)
{
    hold(scene, {m_size.width() / 2, m_size.height() / 2});
}

void Viewport::reveal(const QRectF &scene)
{
    const QRectF seen = visible().adjusted(Margin / m_zoom, Margin / m_zoom, -Margin / m_zoom, -Margin / m_zoom);
    const auto move = [](double low, double high, double first, double last) {
        if (first >= low && last <= high)
            return 0.0;
        return last - first > high - low || first < low ? first - low : last - high;
    };
    m_origin += {move(seen.left(), seen.right(), scene.left(), scene.right()),
                 move(seen.top(), seen.bottom(), scene.top(), scene.bottom())};
}

void Viewport::keepInSight(const QRectF &scene)
{
    const double x = std::min(Sight, m_size.width() / 2) / m_zoom;
    const double y = std::min(Sight, m_size.height() / 2) / m_zoom;
    const QSizeF seen = m_size / m_zoom;
    m_origin.setX(std::clamp(m_origin.x(), scene.left() - seen.width() + x,
                             std::max(scene.left() - seen.width() + x, scene.right() - x)));
    m_origin.setY(std::clamp(m_origin.y(), scene.top() - seen.height() + y,
                             std::max(scene.top() - seen.height() + y, scene.bottom() - y)));
}

} // namespace pipescope::graphview

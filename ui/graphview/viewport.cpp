#include "graphview/viewport.h"

#include <algorithm>

namespace pipescope::graphview {

namespace {

constexpr double ScreenMargin = 24; // of the screen
constexpr double Gap = 8;           // to what is covered, likewise
constexpr double Readable = 0.8;
constexpr double Sight = 60;       // of the scene, at least, on the screen
constexpr double LeastShare = 0.6; // of the zoom that all of the screen would allow: farther away is no gain

double zoomInto(const QRectF &room, const QRectF &scene)
{
    return std::min(std::max(1.0, room.width()) / std::max(1.0, scene.width()),
                    std::max(1.0, room.height()) / std::max(1.0, scene.height()));
}

/// How far what is seen must move for the part to stand in the room.
QPointF moveInto(const QRectF &room, const QRectF &part)
{
    const auto move = [](double low, double high, double first, double last) {
        if (first >= low && last <= high)
            return 0.0;
        return last - first > high - low || first < low ? first - low : last - high;
    };
    return {move(room.left(), room.right(), part.left(), part.right()),
            move(room.top(), room.bottom(), part.top(), part.bottom())};
}

} // namespace

QRectF Viewport::room() const
{
    return QRectF({0, 0}, m_size).adjusted(ScreenMargin, ScreenMargin, -ScreenMargin, -ScreenMargin);
}

std::array<QRectF, 4> Viewport::clearRooms() const
{
    QRectF above = room();
    QRectF left = room();
    QRectF below = room();
    QRectF right = room();
    above.setBottom(std::min(above.bottom(), m_covered.top() - Gap));
    left.setRight(std::min(left.right(), m_covered.left() - Gap));
    below.setTop(std::max(below.top(), m_covered.bottom() + Gap));
    right.setLeft(std::max(right.left(), m_covered.right() + Gap));
    return {above, left, below, right};
}

bool Viewport::isClear(const QRectF &screen) const
{
    return m_covered.isEmpty() || !screen.intersects(m_covered);
}

void Viewport::zoomAt(QPointF screen, double factor)
{
    const QPointF held = toScene(screen);
    m_zoom = std::clamp(m_zoom * factor, LeastZoom, MostZoom);
    hold(held, screen);
}

void Viewport::fit(const QRectF &scene)
{
    const double whole = std::clamp(zoomInto(room(), scene), LeastZoom, 1.0);
    m_zoom = whole;
    centreOn(scene.center());
    if (isClear(toScreen(scene)))
        return;
    double best = LeastShare * whole;
    for (const QRectF &clear : clearRooms()) {
        const double zoom = std::clamp(zoomInto(clear, scene), LeastZoom, 1.0);
        if (zoom <= best)
            continue;
        best = m_zoom = zoom;
        hold(scene.center(), clear.center());
    }
}

void Viewport::showStart(const QRectF &scene)
{
    fit(scene);
    if (m_zoom >= Readable)
        return;
    const double width = std::max(1.0, scene.width());
    const double whole = room().width() / width;
    const double beside = (m_covered.isEmpty() ? room() : clearRooms()[1]).width() / width;
    m_zoom = std::clamp(beside >= Readable ? beside : whole, Readable, 1.0);
    hold({scene.center().x(), scene.top()}, {m_size.width() / 2, ScreenMargin});
    if (beside >= Readable && !isClear(toScreen(scene)))
        m_origin.setX(scene.right() - clearRooms()[1].right() / m_zoom);
}

void Viewport::beginAt(double left, double margin)
{
    m_origin.setX(left - margin / m_zoom);
}

double Viewport::columnsSeen(double leftMargin) const
{
    return std::max(1.0, m_size.width() - leftMargin - ScreenMargin) / m_zoom;
}

double Viewport::columnsClear(double leftMargin) const
{
    const double clear = m_covered.left() - Gap - leftMargin;
    const double seen = columnsSeen(leftMargin);
    return m_covered.isEmpty() || clear / m_zoom < seen / 2 ? seen : std::min(seen, clear / m_zoom);
}

void Viewport::centreOn(QPointF scene)
{
    hold(scene, {m_size.width() / 2, m_size.height() / 2});
}

void Viewport::reveal(const QRectF &scene)
{
    const QRectF all = toScreen(scene);
    const QRectF part(all.topLeft(), all.size().boundedTo(room().size())); // of what is too large, the beginning
    QPointF move = moveInto(room(), part);
    if (!isClear(part.translated(-move))) {
        double least = -1;
        for (const QRectF &clear : clearRooms()) {
            if (part.width() > clear.width() || part.height() > clear.height())
                continue;
            const QPointF other = moveInto(clear, part);
            if (least >= 0 && other.manhattanLength() >= least)
                continue;
            least = other.manhattanLength();
            move = other;
        }
    }
    m_origin += move / m_zoom;
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

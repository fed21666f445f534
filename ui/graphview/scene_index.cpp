#include "graphview/scene_index.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace pipescope::graphview {

namespace {

// QRectF::intersects() is false for a rectangle without width, which a straight edge has.
bool touches(const QRectF &a, const QRectF &b)
{
    return a.left() <= b.right() && b.left() <= a.right() && a.top() <= b.bottom() && b.top() <= a.bottom();
}

double distanceToSegment(QPointF point, QPointF from, QPointF to)
{
    const QPointF along = to - from;
    const double length = QPointF::dotProduct(along, along);
    const double t = length > 0 ? std::clamp(QPointF::dotProduct(point - from, along) / length, 0.0, 1.0) : 0;
    const QPointF away = point - (from + t * along);
    return std::hypot(away.x(), away.y());
}

} // namespace

SceneIndex::SceneIndex(const GraphScene &scene)
    : m_origin(scene.bounds.topLeft())
    , m_boxRects(scene.rects)
{
    for (const SceneEdge &edge : scene.edges)
        m_edgeRects.push_back(edge.bounds);
    const double area = std::max(1.0, scene.bounds.width() * scene.bounds.height());
    // About two boxes a cell, but no more cells than that, however long and thin the scene is.
    m_cell = std::max(128.0, std::sqrt(2 * area / static_cast<double>(scene.rects.size() + 1)));
    m_columns = static_cast<int>(scene.bounds.width() / m_cell) + 1;
    m_rows = static_cast<int>(scene.bounds.height() / m_cell) + 1;
    if (!m_boxRects.empty())
        m_boxRects[0] = scene.bounds;
    fill(m_boxes, m_boxRects);
    fill(m_edges, m_edgeRects);
}

SceneIndex::Cells SceneIndex::cellsOf(const QRectF &rect) const
{
    const auto cell = [this](double at, double origin, int count) {
        return static_cast<int>(std::clamp(std::floor((at - origin) / m_cell), 0.0, static_cast<double>(count - 1)));
    };
    return {cell(rect.left(), m_origin.x(), m_columns), cell(rect.top(), m_origin.y(), m_rows),
            cell(rect.right(), m_origin.x(), m_columns), cell(rect.bottom(), m_origin.y(), m_rows)};
}

void SceneIndex::fill(Layer &layer, const std::vector<QRectF> &rects) const
{
    const auto eachCell = [this](const Cells &cells, auto visit) {
        for (int row = cells.top; row <= cells.bottom; ++row) {
            for (int column = cells.left; column <= cells.right; ++column)
                visit(static_cast<std::size_t>(row) * static_cast<std::size_t>(m_columns) +
                      static_cast<std::size_t>(column));
        }
    };
    for (const QRectF &rect : rects)
        layer.cells.push_back(cellsOf(rect));
    layer.start.assign(static_cast<std::size_t>(m_rows) * static_cast<std::size_t>(m_columns) + 1, 0);
    for (const Cells &cells : layer.cells)
        eachCell(cells, [&](std::size_t cell) { ++layer.start[cell + 1]; });
    std::partial_sum(layer.start.begin(), layer.start.end(), layer.start.begin());
    layer.items.resize(static_cast<std::size_t>(layer.start.back()));
    std::vector<int> next(layer.start.begin(), layer.start.end() - 1);
    for (std::size_t item = 0; item < rects.size(); ++item) {
        eachCell(layer.cells[item], [&](std::size_t cell) {
            layer.items[static_cast<std::size_t>(next[cell]++)] = static_cast<int>(item);
        });
    }
}

std::vector<int> SceneIndex::itemsIn(const Layer &layer, const QRectF &rect) const
{
    std::vector<int> found;
    if (m_columns == 0)
        return found;
    const std::vector<QRectF> &rects = &layer == &m_boxes ? m_boxRects : m_edgeRects;
    const Cells asked = cellsOf(rect);
    for (int row = asked.top; row <= asked.bottom; ++row) {
        for (int column = asked.left; column <= asked.right; ++column) {
            const auto cell =
                static_cast<std::size_t>(row) * static_cast<std::size_t>(m_columns) + static_cast<std::size_t>(column);
            for (int i = layer.start[cell]; i < layer.start[cell + 1]; ++i) {
                const int item = layer.items[static_cast<std::size_t>(i)];
                const Cells &own = layer.cells[static_cast<std::size_t>(item)];
                // An item in several cells is reported in the first of them that is asked for.
                if (row == std::max(own.top, asked.top) && column == std::max(own.left, asked.left) &&
                    touches(rects[static_cast<std::size_t>(item)], rect))
                    found.push_back(item);
            }
        }
    }
    std::sort(found.begin(), found.end());
    return found;
}

std::vector<int> SceneIndex::boxesIn(const QRectF &rect) const
{
    std::vector<int> found = itemsIn(m_boxes, rect);
    std::erase(found, 0);
    return found;
}

std::vector<int> SceneIndex::edgesIn(const QRectF &rect) const
{
    return itemsIn(m_edges, rect);
}

int SceneIndex::boxAt(const GraphScene &scene, QPointF point) const
{
    if (!scene.bounds.contains(point))
        return -1;
    const std::vector<int> there = boxesIn(QRectF(point, QSizeF(0, 0)));
    return there.empty() ? 0 : there.back(); // children come after their parents
}

int SceneIndex::edgeAt(const GraphScene &scene, QPointF point, double tolerance) const
{
    const QRectF around(point.x() - tolerance, point.y() - tolerance, 2 * tolerance, 2 * tolerance);
    int nearest = -1;
    double least = tolerance;
    for (const int index : edgesIn(around)) {
        const std::span<const QPointF> points = scene.pointsOf(scene.edges[static_cast<std::size_t>(index)]);
        for (std::size_t i = 1; i < points.size(); ++i) {
            const double distance = distanceToSegment(point, points[i - 1], points[i]);
            if (distance <= least) {
                least = distance;
                nearest = index;
            }
        }
    }
    return nearest;
}

} // namespace pipescope::graphview

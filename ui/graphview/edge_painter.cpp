// The part of GraphPainter that paints what goes from box to box: edges, what is written beside them, and ports.
#include "base/text.h"
#include "graphview/graph_frame.h"
#include "graphview/split_places.h"

#include <QPainterPath>
#include <algorithm>
#include <array>
#include <span>
#include <unordered_set>

namespace pipescope::graphview {

using style::Token;

namespace {

void addSegment(QPainterPath &path, QPointF from, QPointF to, double zoom)
{
    if (zoom < detail::Curves || from.x() == to.x()) {
        path.lineTo(to);
        return;
    }
    const double middle = (from.y() + to.y()) / 2;
    path.cubicTo({from.x(), middle}, {to.x(), middle}, to);
}

bool isSeen(QPointF from, QPointF to, const QRectF &seen)
{
    return std::max(from.y(), to.y()) >= seen.top() && std::min(from.y(), to.y()) <= seen.bottom() &&
           std::max(from.x(), to.x()) >= seen.left() && std::min(from.x(), to.x()) <= seen.right();
}

// An edge may pass hundreds of rows: only what is seen of it becomes a path. A curve stays between its ends.
QPainterPath pathOf(std::span<const QPointF> points, double zoom, const QRectF &seen)
{
    QPainterPath path;
    bool isOpen = false;
    for (std::size_t i = 1; i < points.size(); ++i) {
        const bool isShown = isSeen(points[i - 1], points[i], seen);
        if (isShown && !isOpen)
            path.moveTo(points[i - 1]);
        if (isShown)
            addSegment(path, points[i - 1], points[i], zoom);
        isOpen = isShown;
    }
    return path;
}

void drawArrow(QPainter &painter, QPointF tip)
{
    const std::array<QPointF, 3> points{tip, tip + QPointF(-3.5, -7), tip + QPointF(3.5, -7)};
    painter.drawConvexPolygon(points.data(), 3);
}

// Straight pieces stand for the curves.
bool crosses(std::span<const QPointF> points, const QRectF &rect)
{
    for (std::size_t i = 1; i < points.size(); ++i) {
        const QPointF from = points[i - 1];
        const QPointF to = points[i];
        if (to.y() < rect.top() || from.y() > rect.bottom())
            continue;
        const double height = to.y() - from.y();
        const auto xAt = [&](double y) {
            return height > 0 ? from.x() + (to.x() - from.x()) * std::clamp((y - from.y()) / height, 0.0, 1.0) : to.x();
        };
        const double a = xAt(rect.top());
        const double b = xAt(rect.bottom());
        if (std::max(a, b) >= rect.left() && std::min(a, b) <= rect.right())
            return true;
    }
    return false;
}

QString valueText(const graph::Value &value)
{
    if (!value.tensor)
        return {};
    return QString::fromStdString(toText(*value.tensor) + "  " + formatBytes(value.tensor->bytes));
}

} // namespace

void GraphPainter::paintEdges(const Frame &frame) const
{
    std::vector<int> lit;
    frame.painter.setBrush(Qt::NoBrush);
    frame.painter.setPen(frame.pen(Token::Faint));
    const bool arrows = frame.zoom >= detail::Round;
    std::vector<QLineF> straight; // drawn together
    const auto draw = [&](int index) {
        const SceneEdge &edge = frame.picture.scene.edges[static_cast<std::size_t>(index)];
        const std::span<const QPointF> points = frame.picture.scene.pointsOf(edge);
        frame.painter.setBrush(Qt::NoBrush);
        if (frame.zoom < detail::Curves || (points.size() == 2 && points[0].x() == points[1].x())) {
            for (std::size_t i = 1; i < points.size(); ++i)
                if (isSeen(points[i - 1], points[i], frame.seen))
                    straight.emplace_back(points[i - 1], points[i]);
        } else
            frame.painter.drawPath(pathOf(points, frame.zoom, frame.seen));
        if (arrows && edge.to >= 0 && frame.seen.adjusted(-8, -8, 8, 8).contains(points.back())) {
            frame.painter.setBrush(frame.painter.pen().color());
            drawArrow(frame.painter, points.back());
        }
    };
    for (const int index : frame.edges) {
        const SceneEdge &edge = frame.picture.scene.edges[static_cast<std::size_t>(index)];
        const auto values = frame.picture.scene.valuesOf(edge);
        const bool ofCurrent =
            frame.look.current >= 0 && (edge.from == frame.look.current || edge.to == frame.look.current);
        const bool crosses =
            frame.look.crossing && goesOver(frame.picture.scene, edge, frame.look.cut) &&
            std::any_of(values.begin(), values.end(), [&](ValueId value) {
                return std::binary_search(frame.look.crossing->begin(), frame.look.crossing->end(), value);
            });
        if (ofCurrent || crosses || std::find(values.begin(), values.end(), frame.look.value) != values.end())
            lit.push_back(index);
        else
            draw(index);
    }
    frame.painter.drawLines(straight.data(), static_cast<int>(straight.size()));
    straight.clear();
    frame.painter.setPen(frame.pen(Token::Accent, 2));
    for (const int index : lit)
        draw(index);
    frame.painter.drawLines(straight.data(), static_cast<int>(straight.size()));
}

// Each value once a group, and only where its text covers no box, no other edge and no other text.
void GraphPainter::paintShapes(const Frame &frame)
{
    std::unordered_set<std::int64_t> written;
    std::vector<QRectF> taken;
    for (const int index : frame.edges) {
        const SceneEdge &edge = frame.picture.scene.edges[static_cast<std::size_t>(index)];
        const auto values = frame.picture.scene.valuesOf(edge);
        const QString text = valueText(frame.picture.graph->value(values.front()));
        const std::int64_t key = std::int64_t{edge.group} << 32 | values.front().value;
        if (text.isEmpty() || edge.from < 0 || !written.insert(key).second)
            continue;
        const QPointF start = frame.picture.scene.pointsOf(edge).front();
        const QRectF place(start + QPointF(6, 2), m_texts.size(text, TextRole::Value));
        const auto covers = [&](const QRectF &other) { return other.intersects(place); };
        const std::vector<int> near = frame.picture.index.boxesIn(place);
        const bool onBox = std::any_of(near.begin(), near.end(), [&](int box) {
            return frame.box(box).group < 0 || !frame.rect(box).contains(place);
        });
        const std::vector<int> passing = frame.picture.index.edgesIn(place);
        const bool onEdge = std::any_of(passing.begin(), passing.end(), [&](int other) {
            const SceneEdge &each = frame.picture.scene.edges[static_cast<std::size_t>(other)];
            const auto points = frame.picture.scene.pointsOf(each);
            return points.front() != start && crosses(points, place);
        });
        if (onBox || onEdge || std::any_of(taken.begin(), taken.end(), covers))
            continue;
        taken.push_back(place);
        m_texts.draw(frame.painter, place.topLeft(), text, TextRole::Value, frame.colour(Token::Dim));
    }
}

void GraphPainter::paintPorts(const Frame &frame)
{
    const std::vector<ScenePort> &ports = frame.picture.scene.ports;
    for (const int index : frame.boxes) {
        const int first = frame.picture.portOfBox[static_cast<std::size_t>(index)];
        for (auto i = static_cast<std::size_t>(first); first >= 0 && i < ports.size() && ports[i].box == index; ++i) {
            const QString text = portText(frame.picture, ports[i]);
            const QRectF place = portRect(ports[i], m_texts.size(text, TextRole::Value));
            const double way = ports[i].side == ScenePort::Side::Takes ? -5 : 5;
            frame.painter.setPen(frame.pen(Token::Accent));
            frame.painter.drawLine(ports[i].at, ports[i].at + QPointF(0, way));
            m_texts.draw(frame.painter, place.topLeft(), text, TextRole::Value, frame.colour(Token::Accent));
        }
    }
}

} // namespace pipescope::graphview

// The part of GraphPainter that paints what goes from box to box: edges, what is written beside them, and ports.
#include "base/text.h"
#include "graphview/graph_frame.h"
#include "graphview/split_places.h"

#include <QLineF>
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

bool meets(const QLineF &line, const QRectF &rect)
{
    if (rect.contains(line.p1()) || rect.contains(line.p2()))
        return true;
    const std::array<QLineF, 4> sides{
        QLineF(rect.topLeft(), rect.topRight()), QLineF(rect.topRight(), rect.bottomRight()),
        QLineF(rect.bottomRight(), rect.bottomLeft()), QLineF(rect.bottomLeft(), rect.topLeft())};
    return std::any_of(sides.begin(), sides.end(), [&](const QLineF &side) {
        return line.intersects(side, nullptr) == QLineF::BoundedIntersection;
    });
}

// Eight straight pieces stand for a curve: they are nowhere a text's margin away from it.
bool crosses(QPointF from, QPointF to, const QRectF &rect)
{
    if (!isSeen(from, to, rect))
        return false;
    constexpr int Pieces = 8;
    const int pieces = from.x() == to.x() ? 1 : Pieces;
    QPointF last = from;
    for (int i = 1; i <= pieces; ++i) {
        const double t = static_cast<double>(i) / pieces;
        const double across = t * t * (3 - 2 * t); // both of addSegment's control points are at half the height
        const double down = t * t * t + 1.5 * t * (1 - t);
        const QPointF next(from.x() + (to.x() - from.x()) * across, from.y() + (to.y() - from.y()) * down);
        if (meets(QLineF(last, next), rect))
            return true;
        last = next;
    }
    return false;
}

bool crosses(std::span<const QPointF> points, const QRectF &rect)
{
    for (std::size_t i = 1; i < points.size(); ++i)
        if (crosses(points[i - 1], points[i], rect))
            return true;
    return false;
}

QString wireText(const graph::Value &value)
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

// Each value once a group, right of where it leaves or left of it, and only where its text covers no box, no edge and
// no other text.
void GraphPainter::paintShapes(const Frame &frame)
{
    std::unordered_set<std::int64_t> written;
    std::vector<QRectF> taken;
    const auto isFree = [&](const QRectF &place) {
        const std::vector<int> near = frame.picture.index.boxesIn(place);
        const bool onBox = std::any_of(near.begin(), near.end(), [&](int box) {
            return frame.box(box).group < 0 || !frame.rect(box).contains(place);
        });
        const std::vector<int> passing = frame.picture.index.edgesIn(place);
        const bool onEdge = std::any_of(passing.begin(), passing.end(), [&](int other) {
            const SceneEdge &each = frame.picture.scene.edges[static_cast<std::size_t>(other)];
            return crosses(frame.picture.scene.pointsOf(each), place);
        });
        const auto covers = [&](const QRectF &other) { return other.intersects(place); };
        return !onBox && !onEdge && std::none_of(taken.begin(), taken.end(), covers);
    };
    for (const int index : frame.edges) {
        const SceneEdge &edge = frame.picture.scene.edges[static_cast<std::size_t>(index)];
        const auto values = frame.picture.scene.valuesOf(edge);
        const QString text = wireText(frame.picture.graph->value(values.front()));
        const std::int64_t key = std::int64_t{edge.group} << 32 | values.front().value;
        if (text.isEmpty() || edge.from < 0 || !written.insert(key).second)
            continue;
        const QPointF start = frame.picture.scene.pointsOf(edge).front();
        const QSizeF size = m_texts.size(text, TextRole::Value);
        for (const double left : {start.x() + 6, start.x() - 6 - size.width()}) {
            const QRectF place(QPointF(left, start.y() + 2), size);
            if (!isFree(place))
                continue;
            taken.push_back(place);
            m_texts.draw(frame.painter, place.topLeft(), text, TextRole::Value, frame.colour(Token::Dim));
            break;
        }
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

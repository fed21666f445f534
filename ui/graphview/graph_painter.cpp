#include "graphview/graph_painter.h"

#include "base/text.h"
#include "graphview/split_places.h"

#include <QPainterPath>
#include <algorithm>
#include <map>
#include <unordered_set>

namespace pipescope::graphview {

using style::Token;

struct GraphPainter::Frame
{
    QPainter &painter;
    const Picture &picture;
    const Look &look;
    double zoom;
    std::vector<int> boxes;
    std::vector<int> edges;

    [[nodiscard]] const Box &box(int index) const { return picture.scene.tree.boxes[static_cast<std::size_t>(index)]; }
    [[nodiscard]] const QRectF &rect(int index) const { return picture.scene.rects[static_cast<std::size_t>(index)]; }
    [[nodiscard]] QColor colour(Token token) const { return look.theme->colour(token); }
    [[nodiscard]] StageSpan stages(int index) const
    {
        return look.stages ? (*look.stages)[static_cast<std::size_t>(index)] : StageSpan{};
    }
    /// Between 0 and 1; nullopt where there is nothing to show.
    [[nodiscard]] std::optional<double> share(int index) const
    {
        const auto found = amount(picture.costs[static_cast<std::size_t>(index)], look.overlay);
        return found && look.largest > 0 ? std::optional(std::clamp(*found / look.largest, 0.0, 1.0)) : std::nullopt;
    }
    [[nodiscard]] bool isMatch(int index) const { return look.matches && look.matches->contains(index); }
    [[nodiscard]] QPen pen(Token token, double width = 1) const
    {
        QPen made(colour(token), width);
        made.setCosmetic(true);
        return made;
    }
};

namespace {

constexpr double Radius = 5;

void addSegment(QPainterPath &path, QPointF from, QPointF to, double zoom)
{
    if (zoom < detail::Curves || from.x() == to.x()) {
        path.lineTo(to);
        return;
    }
    const double middle = (from.y() + to.y()) / 2;
    path.cubicTo({from.x(), middle}, {to.x(), middle}, to);
}

QPainterPath pathOf(std::span<const QPointF> points, double zoom)
{
    QPainterPath path(points.front());
    for (std::size_t i = 1; i < points.size(); ++i)
        addSegment(path, points[i - 1], points[i], zoom);
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

void GraphPainter::paint(QPainter &painter, const Picture &picture, const Viewport &viewport, const Look &look)
{
    const double zoom = viewport.zoom();
    Frame frame{painter, picture, look, zoom, picture.index.boxesIn(viewport.visible()), {}};
    if (zoom >= detail::Edges)
        frame.edges = picture.index.edgesIn(viewport.visible());
    painter.save();
    painter.translate(-viewport.origin() * zoom);
    painter.scale(zoom, zoom);
    painter.setRenderHint(QPainter::Antialiasing, zoom >= detail::Round);
    if (zoom < detail::Text) {
        paintEdges(frame);
        paintFar(frame);
    } else {
        paintGroups(frame);
        painter.setRenderHint(QPainter::Antialiasing, true);
        paintEdges(frame);
        painter.setRenderHint(QPainter::Antialiasing, zoom >= detail::Round);
        paintBoxes(frame);
        paintPorts(frame);
        if (zoom >= detail::Shapes)
            paintShapes(frame);
    }
    painter.restore();
}

// Rectangles of one colour are filled together: setting a brush costs more than filling a few pixels.
void GraphPainter::paintFar(const Frame &frame) const
{
    std::map<StageId, std::vector<QRectF>> byStage;
    std::vector<QRectF> frames;
    std::vector<QRectF> meters;
    for (const int index : frame.boxes) {
        const QRectF &rect = frame.rect(index);
        if (frame.box(index).group >= 0) {
            if (rect.height() * frame.zoom > 6)
                frames.push_back(rect);
            continue;
        }
        if (frame.look.overlay == Overlay::Stage) {
            byStage[frame.stages(index).first].push_back(rect);
        } else {
            byStage[StageId{}].push_back(rect);
            if (const auto share = frame.share(index))
                meters.emplace_back(rect.topLeft(), QSizeF(rect.width() * *share, rect.height()));
        }
    }
    const auto fill = [&](const std::vector<QRectF> &rects, const QBrush &brush) {
        frame.painter.setBrush(brush);
        frame.painter.drawRects(rects.data(), static_cast<int>(rects.size()));
    };
    frame.painter.setPen(frame.pen(Token::Line));
    fill(frames, Qt::NoBrush);
    frame.painter.setPen(Qt::NoPen);
    for (const auto &[stage, rects] : byStage) {
        fill(rects, stage.valid() ? frame.look.theme->colour(stage) : frame.colour(Token::Line));
        if (const Qt::BrushStyle pattern = style::Theme::patternOf(stage); pattern != Qt::NoBrush)
            fill(rects, QBrush(frame.colour(Token::Ink), pattern));
    }
    fill(meters, frame.colour(Token::Dim));
    frame.painter.setBrush(Qt::NoBrush);
    for (const int index : frame.boxes) {
        if (index != frame.look.current && !frame.isMatch(index))
            continue;
        frame.painter.setPen(frame.pen(index == frame.look.current ? Token::Accent : Token::Text, 2));
        frame.painter.drawRect(frame.rect(index));
    }
}

void GraphPainter::paintGroups(const Frame &frame)
{
    for (const int index : frame.boxes) {
        if (frame.box(index).group < 0)
            continue;
        const QRectF &rect = frame.rect(index);
        frame.painter.setPen(frame.pen(Token::Line));
        frame.painter.setBrush(frame.colour(Token::Panel));
        frame.painter.drawRoundedRect(rect, Radius, Radius);
        const QRectF header(rect.topLeft(), QSizeF(rect.width(), measure::Header));
        if (frame.stages(index).first.valid())
            paintStrip(frame, QRectF(header.topLeft() + QPointF(5, 6), QSizeF(16, 16)), frame.stages(index));
        paintTexts(frame, index, header);
    }
}

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
                straight.emplace_back(points[i - 1], points[i]);
        } else
            frame.painter.drawPath(pathOf(points, frame.zoom));
        if (arrows && edge.to >= 0) {
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

void GraphPainter::paintBoxes(const Frame &frame)
{
    for (const int index : frame.boxes) {
        if (frame.box(index).group < 0)
            paintBox(frame, index);
    }
    frame.painter.setBrush(Qt::NoBrush);
    for (const int index : frame.boxes) {
        const bool current = index == frame.look.current;
        if (!current && index != frame.look.hovered && !frame.isMatch(index))
            continue;
        frame.painter.setPen(frame.pen(current                ? Token::Accent
                                       : frame.isMatch(index) ? Token::Text
                                                              : Token::Dim,
                                       current || frame.isMatch(index) ? 2 : 1));
        frame.painter.drawRoundedRect(frame.rect(index), Radius, Radius);
    }
}

void GraphPainter::paintBox(const Frame &frame, int index)
{
    const QRectF &rect = frame.rect(index);
    const BoxKind kind = frame.box(index).key.kind;
    const bool isEnd = kind == BoxKind::Argument || kind == BoxKind::Result;
    frame.painter.setPen(frame.pen(Token::Line));
    frame.painter.setBrush(frame.colour(isEnd ? Token::Canvas : Token::Raised));
    const double radius = isEnd ? rect.height() / 2 : Radius;
    if (frame.zoom >= detail::Round || isEnd)
        frame.painter.drawRoundedRect(rect, radius, radius);
    else
        frame.painter.drawRect(rect);
    if (frame.stages(index).first.valid())
        paintStrip(frame, QRectF(rect.topLeft(), QSizeF(measure::Strip, rect.height())), frame.stages(index));
    if (const auto share = frame.share(index); share && *share > 0) {
        const QRectF meter(rect.left() + measure::Strip, rect.bottom() - 4,
                           (rect.width() - measure::Strip - 4) * *share, 3);
        frame.painter.fillRect(meter, frame.colour(Token::Dim));
    }
    paintTexts(frame, index, rect);
}

// Colour, pattern and number. A box over several stages has a part in each colour, the numbers of the first and last.
void GraphPainter::paintStrip(const Frame &frame, const QRectF &rect, const StageSpan &span)
{
    const int count = span.last.value - span.first.value + 1;
    const int shown = std::min(count, 4);
    frame.painter.setPen(Qt::NoPen);
    const bool plain = shown == 1 && style::Theme::patternOf(span.first) == Qt::NoBrush;
    if (plain && frame.zoom < detail::Round) {
        frame.painter.fillRect(rect, frame.look.theme->colour(span.first));
    } else if (plain) {
        frame.painter.setBrush(frame.look.theme->colour(span.first));
        frame.painter.drawRoundedRect(rect, 4, 4);
    }
    for (int i = 0; i < shown && !plain; ++i) {
        const StageId stage{i == shown - 1 ? span.last.value : span.first.value + i};
        QPainterPath part;
        part.addRoundedRect(rect, 4, 4);
        if (shown > 1) {
            QPainterPath slice;
            slice.addRect(
                QRectF(rect.left(), rect.top() + i * rect.height() / shown, rect.width(), rect.height() / shown));
            part = part.intersected(slice);
        }
        frame.painter.fillPath(part, frame.look.theme->colour(stage));
        if (const Qt::BrushStyle pattern = style::Theme::patternOf(stage); pattern != Qt::NoBrush) {
            QColor ink = frame.colour(Token::Ink);
            ink.setAlphaF(0.35F); // or the number could not be read
            frame.painter.fillPath(part, QBrush(ink, pattern));
        }
    }
    const QString text = count == 1 ? QString::number(span.first.value)
                                    : QStringLiteral("%1–%2").arg(span.first.value).arg(span.last.value);
    m_texts.drawCentred(frame.painter, rect.center(), text, TextRole::Value, frame.colour(Token::Ink));
}

void GraphPainter::paintTexts(const Frame &frame, int index, const QRectF &rect)
{
    const auto at = static_cast<std::size_t>(index);
    const Box &box = frame.box(index);
    const QString &title = frame.picture.titles[at];
    const QString &detail = frame.picture.details[at];
    const bool isEnd = box.key.kind == BoxKind::Argument || box.key.kind == BoxKind::Result;
    const double left = rect.left() + (isEnd ? measure::Gap + 4 : measure::Strip + measure::Gap);
    const double right = rect.right() - measure::Gap;
    const double line = m_texts.size(title, TextRole::Title).height();
    const bool twoLines = box.canOpen && box.group < 0;
    const double top = twoLines ? rect.top() + 5 : rect.center().y() - line / 2;
    m_texts.draw(frame.painter, {left, top}, title, TextRole::Title, frame.colour(Token::Text));
    const std::string measured = amountText(frame.picture.costs[at], frame.look.overlay);
    if (box.canOpen && !measured.empty())
        m_texts.drawRight(frame.painter, {right, top}, QString::fromStdString(measured), TextRole::Value,
                          frame.colour(Token::Dim));
    if (detail.isEmpty())
        return;
    if (twoLines) {
        m_texts.draw(frame.painter, {left, top + line + 1}, detail, TextRole::Detail, frame.colour(Token::Dim));
    } else if (box.group >= 0) {
        const double used = m_texts.size(title, TextRole::Title).width() + measure::Gap;
        m_texts.draw(frame.painter, {left + used, top}, detail, TextRole::Detail, frame.colour(Token::Dim));
    } else {
        m_texts.drawRight(frame.painter, {right - (isEnd ? 4 : 0), top}, detail, TextRole::Detail,
                          frame.colour(Token::Dim));
    }
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

#include "graphview/graph_painter.h"

#include "graphview/graph_frame.h"

#include <QPainterPath>
#include <algorithm>
#include <cmath>
#include <map>

namespace pipescope::graphview {

using style::Token;

namespace {

constexpr double Radius = 5;
constexpr double BackOpacity = 0.55; ///< of boxes that stand back: to be read still

QString spanText(const StageSpan &span)
{
    return span.first == span.last ? QString::number(span.first.value)
                                   : QStringLiteral("%1–%2").arg(span.first.value).arg(span.last.value);
}

/// Side by side in a wide rectangle, one above the other in a tall one.
QRectF partOf(const QRectF &rect, int part, int parts)
{
    const bool isWide = rect.width() > rect.height();
    const double width = isWide ? rect.width() / parts : rect.width();
    const double height = isWide ? rect.height() : rect.height() / parts;
    return {rect.left() + (isWide ? part * width : 0), rect.top() + (isWide ? 0 : part * height), width, height};
}

} // namespace

void GraphPainter::paint(QPainter &painter, const Picture &picture, const Viewport &viewport, const Look &look)
{
    const double zoom = viewport.zoom();
    const QRectF visible = viewport.visible();
    const double room = 4 / zoom;
    Frame frame{
        painter, picture, look, zoom, visible.adjusted(-room, -room, room, room), picture.index.boxesIn(visible), {}};
    if (zoom >= detail::Edges)
        frame.edges = picture.index.edgesIn(visible);
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
    std::map<std::pair<bool, StageId>, std::vector<QRectF>> byStage; // those that stand back last
    std::vector<QRectF> frames;
    std::vector<QRectF> meters;
    for (const int index : frame.boxes) {
        const QRectF &rect = frame.rect(index);
        if (frame.box(index).group >= 0) {
            if (rect.height() * frame.zoom > 6)
                frames.push_back(rect);
            continue;
        }
        const bool isBack = frame.standsBack(index);
        if (frame.look.overlay == Overlay::Stage) {
            const StageSpan span = frame.stages(index);
            const bool isSelected = frame.look.stage.valid() && !isBack;
            byStage[{isBack, isSelected ? frame.look.stage : span.first}].push_back(rect);
        } else {
            byStage[{isBack, StageId{}}].push_back(rect);
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
    for (const auto &[key, rects] : byStage) {
        const auto [isBack, stage] = key;
        frame.painter.setOpacity(isBack ? BackOpacity : 1);
        fill(rects, stage.valid() ? frame.look.theme->colour(stage) : frame.colour(Token::Line));
        if (const Qt::BrushStyle pattern = style::Theme::patternOf(stage); pattern != Qt::NoBrush)
            fill(rects, QBrush(frame.colour(Token::Ink), pattern));
    }
    frame.painter.setOpacity(1);
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
            paintStrip(frame, chipRect(header, frame.stages(index)), frame.stages(index));
        paintTexts(frame, index, header);
    }
}

void GraphPainter::paintBoxes(const Frame &frame)
{
    for (const int index : frame.boxes) {
        if (frame.box(index).group >= 0)
            continue;
        frame.painter.setOpacity(frame.standsBack(index) ? BackOpacity : 1);
        paintBox(frame, index);
    }
    frame.painter.setOpacity(1);
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
        const double left = frame.stages(index).first.valid() ? measure::Strip : 4;
        const QRectF meter(rect.left() + left, rect.bottom() - 4, (rect.width() - left - 4) * *share, 3);
        frame.painter.fillRect(meter, frame.colour(Token::Dim));
    }
    paintTexts(frame, index, rect);
}

QRectF GraphPainter::chipRect(const QRectF &rect, const StageSpan &span)
{
    constexpr double least = 16;
    constexpr double pad = 3;
    const double text = m_texts.size(spanText(span), TextRole::Value).width();
    return {rect.left() + 5, rect.top() + 6, std::max(least, std::ceil(text) + 2 * pad), least};
}

QColor GraphPainter::patternInk(const Frame &frame)
{
    QColor ink = frame.colour(Token::Ink);
    ink.setAlphaF(0.35F); // or the number could not be read
    return ink;
}

// Colour, pattern and number. A box over several stages has a part in each colour, the numbers of the first and last.
void GraphPainter::paintStrip(const Frame &frame, const QRectF &rect, const StageSpan &span)
{
    const int count = span.last.value - span.first.value + 1;
    const int shown = std::min(count, 4);
    frame.painter.setPen(Qt::NoPen);
    const bool isOne = shown == 1;
    if (isOne && frame.zoom < detail::Round) {
        frame.painter.fillRect(rect, frame.look.theme->colour(span.first));
    } else if (isOne) {
        frame.painter.setBrush(frame.look.theme->colour(span.first));
        frame.painter.drawRoundedRect(rect, Radius, Radius);
    }
    // A rectangle is filled with a pattern in far less time than a path; so far in, none of its corners is outside.
    constexpr double inside = 0.3 * Radius;
    if (const Qt::BrushStyle pattern = style::Theme::patternOf(span.first); isOne && pattern != Qt::NoBrush)
        frame.painter.fillRect(rect.adjusted(inside, inside, -inside, -inside), QBrush(patternInk(frame), pattern));
    for (int i = 0; i < shown && !isOne; ++i) {
        const StageId stage{i == shown - 1 ? span.last.value : span.first.value + i};
        QPainterPath part;
        part.addRoundedRect(rect, Radius, Radius);
        if (shown > 1) {
            QPainterPath slice;
            slice.addRect(partOf(rect, i, shown));
            part = part.intersected(slice);
        }
        frame.painter.fillPath(part, frame.look.theme->colour(stage));
        if (const Qt::BrushStyle pattern = style::Theme::patternOf(stage); pattern != Qt::NoBrush)
            frame.painter.fillPath(part, QBrush(patternInk(frame), pattern));
    }
    paintStripText(frame, rect, span, shown);
}

// In a tall one the first and the last number each on its own colour, else both in the middle.
void GraphPainter::paintStripText(const Frame &frame, const QRectF &rect, const StageSpan &span, int parts)
{
    const auto draw = [&](const QRectF &part, const QString &text) {
        m_texts.drawCentred(frame.painter, part.center(), text, TextRole::Value, frame.colour(Token::Ink));
    };
    if (parts == 1 || rect.width() > rect.height())
        return draw(rect, spanText(span));
    const double line = m_texts.size(spanText(span), TextRole::Value).height();
    const auto numberRect = [&](int part) {
        QRectF place = partOf(rect, part, parts);
        place.setHeight(std::max(place.height(), line));
        place.moveTop(std::min(place.top(), rect.bottom() - place.height()));
        return place;
    };
    draw(numberRect(0), QString::number(span.first.value));
    if (rect.height() >= 2 * line)
        draw(numberRect(parts - 1), QString::number(span.last.value));
}

void GraphPainter::paintTexts(const Frame &frame, int index, const QRectF &rect)
{
    const auto at = static_cast<std::size_t>(index);
    const Box &box = frame.box(index);
    const QString &title = frame.picture.titles[at];
    const QString &detail = frame.picture.details[at];
    const bool isEnd = box.key.kind == BoxKind::Argument || box.key.kind == BoxKind::Result;
    const double chip = !frame.stages(index).first.valid() ? 0
                        : box.group < 0                    ? measure::Strip
                                        : chipRect(rect, frame.stages(index)).right() - rect.left() - 1;
    const double left = rect.left() + (isEnd ? measure::Gap + 4 : chip + measure::Gap);
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

} // namespace pipescope::graphview

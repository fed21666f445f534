#include "timeline/lane_painter.h"

#include "timeline/hatch.h"
#include "timeline/ruler.h"

#include <QFontDatabase>
#include <QFontMetricsF>
#include <QPainter>
#include <QStringList>
#include <cmath>
#include <fmt/format.h>

namespace pipescope::timeline {

namespace {

using style::Token;
using trace::EventKind;

constexpr int PatternedFrom = 4; // narrower bars have no room for a pattern
constexpr int GapFrom = 3;       // wider bars end a pixel early, so that neighbours can be told apart
constexpr int SmallText = 11;

QRect pixels(const QRectF &rect)
{
    const int left = qRound(rect.left());
    const int top = qRound(rect.top());
    return {left, top, qRound(rect.right()) - left, qRound(rect.bottom()) - top};
}

QString stagesOf(const Lane &lane)
{
    std::string stages;
    for (std::size_t i = 0; i < std::min<std::size_t>(4, lane.stages.size()); ++i)
        stages += fmt::format("{}{}", i == 0 ? "" : ", ", lane.stages[i].value);
    if (lane.stages.size() > 4)
        stages += ", …";
    return QString::fromStdString(fmt::format("{} {}", lane.stages.size() == 1 ? "stage" : "stages", stages));
}

QString busyOf(const Scene &scene, const Lane &lane)
{
    const double run = scene.model.run().spanNs();
    return QString::fromStdString(fmt::format("busy {:.0f} %", run > 0 ? 100 * lane.busyNs / run : 0));
}

/// As many lines as there is room for: the rank, its stages, how busy it was.
QStringList headerLines(const Scene &scene, const Lane &lane, double height)
{
    QStringList lines{QString::fromStdString(lane.name)};
    if (height >= 36 && !lane.stages.empty())
        lines << stagesOf(lane);
    if (height >= 52)
        lines << busyOf(scene, lane);
    return lines;
}

} // namespace

LanePainter::LanePainter(const Scene &scene, QPainter &painter)
    : m_scene(scene)
    , m_painter(painter)
    , m_numbers(QFontDatabase::systemFont(QFontDatabase::FixedFont))
{
    m_numbers.setPixelSize(scene.geometry.laneHeight() < 18 ? 10 : 12);
    m_letterWidth = QFontMetricsF(m_numbers).horizontalAdvance(QLatin1Char('0'));
}

const QPixmap &LanePainter::tile(int hatch)
{
    QPixmap &tile = m_tiles[static_cast<std::size_t>(hatch)];
    if (tile.isNull())
        tile = hatchTile(m_scene.theme, static_cast<Hatch>(hatch), m_painter.device()->devicePixelRatioF());
    return tile;
}

void LanePainter::paintLanes()
{
    const LaneGeometry &geometry = m_scene.geometry;
    m_painter.fillRect(QRectF(0, 0, geometry.width, geometry.height), m_scene.theme.colour(Token::Canvas));
    m_painter.save();
    m_painter.setClipRect(geometry.axis());
    paintGrid();
    for (int lane = geometry.firstLane(); lane < geometry.endLane(); ++lane)
        paintLane(lane);
    m_painter.restore();
    m_painter.save();
    m_painter.setClipRect(QRectF(0, LaneGeometry::RulerHeight, LaneGeometry::HeaderWidth, geometry.viewHeight()));
    for (int lane = geometry.firstLane(); lane < geometry.endLane(); ++lane)
        paintHeader(lane);
    m_painter.restore();
    paintRuler();
}

void LanePainter::paintHeader(int index)
{
    const Lane &lane = m_scene.model.lanes()[static_cast<std::size_t>(index)];
    const QRectF row = m_scene.geometry.header(index);
    const double margin = row.height() < 24 ? 0.5 : 3;
    const QRectF card = row.adjusted(0, margin, -6, -margin);
    m_painter.fillRect(card, m_scene.theme.colour(Token::Panel));
    const QRectF mark(card.left(), card.top(), 4, card.height());
    const auto stages = static_cast<double>(lane.stages.size());
    for (std::size_t i = 0; i < lane.stages.size(); ++i) {
        const double top = mark.top() + mark.height() * static_cast<double>(i) / stages;
        m_painter.fillRect(QRectF(mark.left(), top, mark.width(), mark.height() / stages),
                           m_scene.theme.colour(lane.stages[i]));
    }
    const QStringList lines = headerLines(m_scene, lane, row.height());
    constexpr double lineHeight = 15;
    QRectF place = card.adjusted(10, 0, -2, 0);
    place.setTop(card.center().y() - lineHeight * static_cast<double>(lines.size()) / 2);
    place.setHeight(lineHeight);
    QFont font = m_scene.font;
    for (qsizetype i = 0; i < lines.size(); ++i) {
        font.setPixelSize(row.height() < 18 ? 10 : i == 0 ? SmallText + 1 : SmallText);
        font.setWeight(i == 0 && lines.size() > 1 ? QFont::DemiBold : QFont::Normal);
        m_painter.setFont(font);
        m_painter.setPen(m_scene.theme.colour(i == 0 ? Token::Text : Token::Dim));
        m_painter.drawText(place, Qt::AlignLeft | Qt::AlignVCenter,
                           QFontMetricsF(font).elidedText(lines[i], Qt::ElideRight, place.width()));
        place.translate(0, lineHeight);
    }
}

void LanePainter::paintLane(int index)
{
    const Lane &lane = m_scene.model.lanes()[static_cast<std::size_t>(index)];
    const QRectF body = m_scene.geometry.body(index);
    // All of the run is bubble until something is painted over it: a million bubbles cost as much as one.
    const double begin = LaneGeometry::HeaderWidth + m_scene.seen.toPixel(m_scene.model.run().beginNs);
    const double end = LaneGeometry::HeaderWidth + m_scene.seen.toPixel(m_scene.model.run().endNs);
    QRectF ground = body;
    ground.setLeft(std::max(body.left(), begin));
    ground.setRight(std::min(body.right(), end));
    if (const QRect rect = pixels(ground); rect.isValid())
        m_painter.drawTiledPixmap(rect, tile(0), rect.topLeft());
    m_painter.setFont(m_numbers);
    for (const EventKind kind : {EventKind::Compute, EventKind::Send, EventKind::Wait, EventKind::Receive})
        m_strips[static_cast<std::size_t>(kind)] = pixels(m_scene.geometry.strip(index, kind));
    m_columns.begin(pixels(body));
    for (const SlicePyramid *pyramid : {&lane.work, &lane.transfers}) {
        m_bars.clear();
        pyramid->collect(m_scene.seen, m_bars);
        for (const Bar &bar : m_bars)
            paintBar(index, bar);
    }
    m_columns.paint(m_painter);
}

QRect LanePainter::rectOf(const Bar &bar) const
{
    QRect rect = m_strips[static_cast<std::size_t>(bar.kind)];
    if (bar.kind == EventKind::Compute && bar.quarters < 4)
        rect.setTop(rect.top() + rect.height() * (4 - bar.quarters) / 4);
    // Far beyond what is seen, whole numbers would not hold a slice's end.
    const int left = qRound(std::max(-16.0, bar.left));
    const int right = qRound(std::min(m_scene.seen.width + 16, bar.right));
    const int least = trackOf(bar.kind) == Track::Transfer ? static_cast<int>(LaneGeometry::LeastMark) : 1;
    rect.setLeft(rect.left() + left);
    rect.setWidth(std::max(least, right - left));
    return rect;
}

void LanePainter::paintBar(int index, const Bar &bar)
{
    QRect rect = rectOf(bar);
    if (bar.kind == EventKind::Wait) {
        paintWait(rect);
        return;
    }
    const QColor colour = colourOf(bar);
    // Several slices in one bar have neither a label nor an end of their own.
    if (bar.slice < 0 || rect.width() <= GapFrom) {
        m_columns.fill(rect, colour);
        return;
    }
    rect.setWidth(rect.width() - 1);
    m_painter.fillRect(rect, colour);
    if (rect.width() < PatternedFrom)
        return;
    paintPattern(rect, bar);
    if (bar.kind == EventKind::Compute)
        paintLabel(rect, m_scene.model.at({index, bar.slice}), colour);
}

void LanePainter::paintWait(const QRect &rect)
{
    // A narrow one is the bubble it lies in.
    if (rect.width() >= PatternedFrom)
        m_painter.drawTiledPixmap(rect, tile(1), rect.topLeft());
}

void LanePainter::paintPattern(const QRect &rect, const Bar &bar)
{
    QColor ink = m_scene.theme.colour(Token::Ink);
    ink.setAlphaF(0.45F);
    const auto fill = [&](Qt::BrushStyle pattern) {
        if (pattern != Qt::NoBrush)
            m_painter.fillRect(rect, QBrush(ink, pattern));
    };
    switch (bar.kind) {
    case EventKind::Compute:
        fill(style::Theme::patternOf(bar.stage));
        if (bar.pass != Pass::Forward)
            fill(bar.pass == Pass::Backward ? Qt::Dense6Pattern : Qt::Dense5Pattern);
        break;
    case EventKind::Send:
        fill(Qt::VerPattern);
        break;
    case EventKind::Receive:
        fill(Qt::HorPattern);
        break;
    case EventKind::Wait:
        break;
    }
}

void LanePainter::paintLabel(const QRect &rect, const Slice &slice, const QColor &ground)
{
    // Where a bar reaches beyond the edge, the label stays with the part that is seen.
    const QRect seen = rect & m_scene.geometry.axis().toAlignedRect();
    if (seen.height() < m_numbers.pixelSize())
        return;
    const QString text = labelOf(m_scene.model, slice, seen.width(), m_letterWidth);
    if (text.isEmpty())
        return;
    const QRectF letters(0, 0, m_letterWidth * static_cast<double>(text.size()) + 4, m_numbers.pixelSize() + 2);
    if (slice.pass != Pass::Forward || style::Theme::patternOf(slice.stage) != Qt::NoBrush)
        m_painter.fillRect(letters.translated(seen.center() - letters.center()), ground);
    m_painter.setPen(m_scene.theme.colour(Token::Ink));
    m_painter.drawText(seen, Qt::AlignCenter, text);
}

QColor LanePainter::colourOf(const Bar &bar) const
{
    if (bar.kind == EventKind::Send)
        return m_scene.theme.colour(style::ActionColour::Send);
    if (bar.kind == EventKind::Receive)
        return m_scene.theme.colour(style::ActionColour::Receive);
    return m_scene.theme.colour(bar.stage);
}

void LanePainter::paintGrid()
{
    m_painter.setPen(m_scene.theme.colour(Token::Grid));
    const QRectF axis = m_scene.geometry.axis();
    for (const Tick &tick : rulerOf(m_scene.seen, 90).ticks) {
        const double x = std::round(axis.left() + tick.pixel) + 0.5;
        m_painter.drawLine(QPointF(x, axis.top()), QPointF(x, axis.bottom()));
    }
}

void LanePainter::paintRuler()
{
    const QRectF axis = m_scene.geometry.axis();
    QFont font = m_scene.font;
    font.setPixelSize(SmallText);
    m_painter.setFont(font);
    m_painter.setPen(m_scene.theme.colour(Token::Dim));
    const Ruler ruler = rulerOf(m_scene.seen, 90);
    const QFontMetricsF metrics(font);
    for (const Tick &tick : ruler.ticks) {
        const QString text = QString::fromStdString(tick.text);
        const double width = metrics.horizontalAdvance(text) + 2;
        // Never cut at an edge of the widget.
        const double left =
            std::max(axis.left() - 20, std::min(axis.left() + tick.pixel - width / 2, axis.right() - width));
        m_painter.drawText(QRectF(left, 0, width, LaneGeometry::RulerHeight - 2), Qt::AlignCenter, text);
    }
    m_painter.drawText(QRectF(10, 0, LaneGeometry::HeaderWidth - 34, LaneGeometry::RulerHeight - 2),
                       Qt::AlignLeft | Qt::AlignVCenter, QString::fromStdString(ruler.origin));
    m_painter.setPen(m_scene.theme.colour(Token::Line));
    m_painter.drawLine(QPointF(0, axis.top() - 0.5), QPointF(axis.right(), axis.top() - 0.5));
}

QRectF LanePainter::rectOf(Spot spot) const
{
    return timeline::rectOf(m_scene.geometry, m_scene.seen, m_scene.model, spot);
}

} // namespace pipescope::timeline

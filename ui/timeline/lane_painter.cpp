#include "timeline/lane_painter.h"

#include "timeline/hatch.h"
#include "timeline/ruler.h"

#include <QFontDatabase>
#include <QFontMetricsF>
#include <QPainter>
#include <cmath>

namespace pipescope::timeline {

namespace {

using style::Token;
using trace::EventKind;

constexpr int PatternedFrom = 4; // narrower bars have no room for a pattern
constexpr int GapFrom = 3;       // wider bars end a pixel early, so that neighbours can be told apart

QRect pixels(const QRectF &rect)
{
    const int left = qRound(rect.left());
    const int top = qRound(rect.top());
    return {left, top, qRound(rect.right()) - left, qRound(rect.bottom()) - top};
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
    m_painter.save();
    m_painter.setClipRect(geometry.axis());
    for (int lane = geometry.firstLane(); lane < geometry.endLane(); ++lane)
        paintLane(lane);
    m_painter.restore();
    m_painter.save();
    m_painter.setClipRect(QRectF(0, LaneGeometry::RulerHeight, LaneGeometry::HeaderWidth, geometry.viewHeight()));
    for (int lane = geometry.firstLane(); lane < geometry.endLane(); ++lane)
        paintHeader(lane);
    m_painter.restore();
    paintOrigin();
}

void LanePainter::paintLane(int index)
{
    for (int row = 0; row < m_scene.runs.count(); ++row)
        if (m_scene.runs.lane(row, index) != nullptr)
            paintRow(index, row);
    paintMemory(index);
}

void LanePainter::paintRow(int index, int row)
{
    const Lane &lane = *m_scene.runs.lane(row, index);
    const TimeRange run = m_scene.runs.model(row).run();
    const QRectF body = m_scene.geometry.body(index, row);
    // All of the run is bubble until something is painted over it: a million bubbles cost as much as one.
    QRectF ground = body;
    ground.setLeft(std::max(body.left(), LaneGeometry::HeaderWidth + m_scene.seen.toPixel(run.beginNs)));
    ground.setRight(std::min(body.right(), LaneGeometry::HeaderWidth + m_scene.seen.toPixel(run.endNs)));
    if (const QRect rect = pixels(ground); rect.isValid())
        m_painter.drawTiledPixmap(rect, tile(0), rect.topLeft());
    m_painter.setFont(m_numbers);
    for (const EventKind kind : {EventKind::Compute, EventKind::Send, EventKind::Wait, EventKind::Receive})
        m_strips[static_cast<std::size_t>(kind)] = pixels(m_scene.geometry.strip(index, kind, row));
    m_columns.begin(pixels(body));
    for (const SlicePyramid *pyramid : {&lane.work, &lane.transfers}) {
        m_bars.clear();
        pyramid->collect(m_scene.seen, m_bars);
        for (const Bar &bar : m_bars)
            paintBar({index, bar.slice, -1, row}, bar);
    }
    m_columns.paint(m_painter);
}

void LanePainter::paintMemory(int index)
{
    const Lane *lane = m_scene.runs.lane(0, index);
    const QRectF strip = m_scene.geometry.memory(index);
    const auto peak = lane != nullptr ? static_cast<double>(lane->memory.peakBytes()) : 0.0;
    if (strip.isEmpty() || peak <= 0)
        return;
    const std::vector<std::int64_t> columns = lane->memory.columns(m_scene.seen);
    const double end = m_scene.seen.toPixel(m_scene.runs.model(0).run().endNs);
    const auto last = std::min(columns.size(), static_cast<std::size_t>(std::max(0.0, std::ceil(end))));
    QPolygonF area;
    area << strip.bottomLeft();
    for (std::size_t x = 0; x < last; ++x) {
        // Each rank by its own peak, which its header tells: beside one with a large head the others would be flat.
        const double top = strip.bottom() - strip.height() * static_cast<double>(columns[x]) / peak;
        const double left = strip.left() + static_cast<double>(x);
        if (x == 0 || columns[x] != columns[x - 1])
            area << QPointF(left, area.back().y()) << QPointF(left, top);
    }
    const double right = strip.left() + std::min(strip.width(), std::max(0.0, end));
    area << QPointF(right, area.back().y()) << QPointF(right, strip.bottom());
    QColor colour = m_scene.theme.colour(lane->stages.empty() ? StageId() : lane->stages.front());
    m_painter.setPen(Qt::NoPen);
    colour.setAlphaF(0.55F);
    m_painter.setBrush(colour);
    m_painter.drawPolygon(area);
    m_painter.setPen(m_scene.theme.colour(Token::Line));
    m_painter.drawLine(QPointF(strip.left(), strip.bottom()), QPointF(right, strip.bottom()));
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

void LanePainter::paintBar(Spot at, const Bar &bar)
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
        paintLabel(rect, at, colour);
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

void LanePainter::paintLabel(const QRect &rect, Spot at, const QColor &ground)
{
    const LaneModel &model = m_scene.runs.modelOf(at);
    const Slice &slice = model.at({at.lane, at.slice});
    // Where a bar reaches beyond the edge, the label stays with the part that is seen.
    const QRect seen = rect & m_scene.geometry.axis().toAlignedRect();
    if (seen.height() < m_numbers.pixelSize())
        return;
    const QString text = labelOf(model, slice, seen.width(), m_letterWidth);
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

void LanePainter::paintOrigin()
{
    const QRectF axis = m_scene.geometry.axis();
    QFont font = m_scene.font;
    font.setPixelSize(11);
    m_painter.setFont(font);
    m_painter.setPen(m_scene.theme.colour(Token::Dim));
    m_painter.drawText(QRectF(10, 0, LaneGeometry::HeaderWidth - 34, LaneGeometry::RulerHeight - 2),
                       Qt::AlignLeft | Qt::AlignVCenter, QString::fromStdString(rulerOf(m_scene.seen).origin));
    m_painter.setPen(m_scene.theme.colour(Token::Line));
    m_painter.drawLine(QPointF(0, axis.top() - 0.5), QPointF(axis.right(), axis.top() - 0.5));
}

QRectF LanePainter::rectOf(Spot spot) const
{
    return timeline::rectOf(m_scene.geometry, m_scene.seen, m_scene.runs, spot);
}

} // namespace pipescope::timeline

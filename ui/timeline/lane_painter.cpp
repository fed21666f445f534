#include "timeline/lane_painter.h"

#include "timeline/hatch.h"
#include "timeline/ruler.h"

#include <QFontDatabase>
#include <QFontMetricsF>
#include <QPainter>
#include <cmath>

namespace pipescope::timeline {

namespace {

using schedule::ActionKind;
using style::Token;
using trace::EventKind;

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
    LaneRows rows;
    paintLanes(rows);
}

void LanePainter::paintLanes(LaneRows &rows)
{
    const LaneGeometry &geometry = m_scene.geometry;
    m_painter.save();
    m_painter.setClipRect(geometry.axis());
    rows.collect(m_scene);
    for (const LaneRow &row : rows.rows())
        paintRow(row);
    for (int lane = geometry.firstLane(); lane < geometry.endLane(); ++lane)
        paintMemory(lane);
    m_painter.restore();
    m_painter.save();
    m_painter.setClipRect(QRectF(0, LaneGeometry::RulerHeight, LaneGeometry::HeaderWidth, geometry.viewHeight()));
    for (int lane = geometry.firstLane(); lane < geometry.endLane(); ++lane)
        paintHeader(lane);
    m_painter.restore();
    paintOrigin();
}

void LanePainter::paintRow(const LaneRow &row)
{
    const trace::TimeRange run = m_scene.runs.model(row.run()).run();
    // All of the run is bubble until something is painted over it: a million bubbles cost as much as one.
    QRectF ground = m_scene.geometry.body(row.lane(), row.run());
    const double left = LaneGeometry::HeaderWidth + m_scene.seen.toPixel(run.beginNs);
    const double right = LaneGeometry::HeaderWidth + m_scene.seen.toPixel(run.endNs);
    ground.setLeft(std::max(ground.left(), left));
    ground.setRight(std::min(ground.right(), right));
    if (const QRect rect = wholePixels(ground); rect.isValid())
        m_painter.drawTiledPixmap(rect, tile(0), rect.topLeft());
    for (const Bar &bar : row.bars(Track::Transfer))
        paintTransferGround(row, bar);
    m_painter.setFont(m_numbers);
    const LabelForm form = labelFormOf(*m_scene.runs.lane(row.run(), row.lane()),
                                       *m_scene.runs.look(row.run(), row.lane()), m_scene.seen, m_letterWidth);
    for (const Bar &bar : row.bars(Track::Work))
        paintBar(row, bar, form);
    row.columns().paint(m_painter);
    for (const Bar &bar : row.bars(Track::Transfer))
        paintBar(row, bar, form);
}

void LanePainter::paintTransferGround(const LaneRow &row, const Bar &bar)
{
    // Who hands values on is not idle: no hatching above, but a tint of the transfer's colour.
    QRect rect = row.rectOf(bar);
    rect.setTop(row.body().top());
    rect.setBottom(row.body().bottom());
    constexpr float share = 0.2F;
    const QColor ground = m_scene.theme.colour(Token::Canvas);
    const QColor colour = row.colourOf(bar);
    const auto mixed = [](float one, float other) { return one + (other - one) * share; };
    m_painter.fillRect(rect,
                       QColor::fromRgbF(mixed(ground.redF(), colour.redF()), mixed(ground.greenF(), colour.greenF()),
                                        mixed(ground.blueF(), colour.blueF())));
}

void LanePainter::paintMemory(int index)
{
    const QRectF strip = m_scene.geometry.memory(index);
    const auto peak = static_cast<double>(m_scene.runs.peakBytes(index));
    if (strip.isEmpty() || peak <= 0)
        return;
    m_painter.setPen(m_scene.theme.colour(Token::Line));
    m_painter.drawLine(strip.bottomLeft(), strip.bottomRight());
    for (int run = 0; run < m_scene.runs.count(); ++run) {
        const trace::Lane *lane = m_scene.runs.lane(run, index);
        if (lane == nullptr || m_scene.runs.look(run, index)->memory.isEmpty())
            continue;
        QColor colour = m_scene.theme.colour(lane->stages.empty() ? StageId() : lane->stages.front());
        m_painter.setPen(run == 0 ? QPen(Qt::NoPen) : QPen(colour, 1));
        colour.setAlphaF(0.55F);
        m_painter.setBrush(run == 0 ? QBrush(colour) : QBrush(Qt::NoBrush));
        // What the first is compared with is a line over it.
        m_painter.drawPolygon(memoryArea(index, run, peak, strip));
    }
}

QPolygonF LanePainter::memoryArea(int index, int run, double peak, const QRectF &strip) const
{
    const std::vector<std::int64_t> columns = m_scene.runs.look(run, index)->memory.columns(m_scene.seen);
    const double end = m_scene.seen.toPixel(m_scene.runs.model(run).run().endNs);
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
    return area;
}

void LanePainter::paintBar(const LaneRow &row, const Bar &bar, LabelForm form)
{
    QRect rect = row.rectOf(bar);
    if (bar.kind == EventKind::Wait) {
        m_painter.drawTiledPixmap(rect, tile(1), rect.topLeft());
        return;
    }
    const QColor colour = row.colourOf(bar);
    rect.setWidth(rect.width() - 1);
    m_painter.fillRect(rect, colour);
    if (rect.width() < LaneRow::PatternedFrom)
        return;
    paintPattern(rect, bar);
    if (bar.kind == EventKind::Compute)
        paintLabel(rect, {row.lane(), bar.slice, -1, row.run()}, colour, form);
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
        if (bar.action != ActionKind::Forward)
            fill(bar.action == ActionKind::BackwardWeight ? Qt::Dense5Pattern : Qt::Dense6Pattern);
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

void LanePainter::paintLabel(const QRect &rect, Spot at, const QColor &ground, LabelForm form)
{
    const LaneModel &model = m_scene.runs.modelOf(at);
    const trace::Slice &slice = model.at({at.lane, at.slice});
    // Where a bar reaches beyond the edge, the label stays with the part that is seen.
    const QRect seen = rect & m_scene.geometry.axis().toAlignedRect();
    if (seen.height() < m_numbers.pixelSize())
        return;
    const QString text = labelOf(model, slice, form, seen.width(), m_letterWidth);
    if (text.isEmpty())
        return;
    const QRectF letters(0, 0, m_letterWidth * static_cast<double>(text.size()) + 4, m_numbers.pixelSize() + 2);
    if (slice.action != ActionKind::Forward || style::Theme::patternOf(slice.stage) != Qt::NoBrush)
        m_painter.fillRect(letters.translated(seen.center() - letters.center()), ground);
    m_painter.setPen(m_scene.theme.colour(Token::Ink));
    m_painter.drawText(seen, Qt::AlignCenter, text);
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

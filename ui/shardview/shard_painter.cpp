#include "shardview/shard_painter.h"

#include "shardview/shard_textures.h"
#include "shardview/shard_words.h"

#include <QFontMetricsF>
#include <QPaintEngine>
#include <QPainter>
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace pipescope::shardview {

namespace {

using style::Token;
using Kind = AxisBand::Kind;

constexpr double GapFrom = 6;      ///< cells of this size have a line of ground between them
constexpr double PatternFrom = 10; ///< and of this one a pattern can be seen
constexpr double DotStep = 5;
constexpr double DotSize = 1.5;
constexpr double TextMargin = 4;
constexpr double LeastLines = 1.25; ///< of a cell with a text: in thousands of lower ones, numbers are a pattern
constexpr double CurrentWidth = 2.5;
constexpr double LeastCurrent = 3; ///< cells that are smaller have no outline

/// Where bands begin, and where they end if none begins there: index and position, in order.
template <class With>
void forEachBorder(const std::vector<AxisBand> &bands, const With &with)
{
    for (std::size_t i = 0; i < bands.size(); ++i) {
        if (bands[i].kind == Kind::Padding)
            continue;
        with(bands[i].indices.begin, bands[i].positions.begin);
        if (i + 1 == bands.size() || bands[i + 1].kind == Kind::Padding)
            with(bands[i].indices.end, bands[i].positions.end);
    }
}

/// Where tiles are copied; a file of vectors has shapes.
bool isOnScreen(const QPainter &painter)
{
    return painter.paintEngine()->type() == QPaintEngine::Raster;
}

QRect wholeUnitsIn(const QRectF &rect)
{
    const QPoint from(static_cast<int>(std::ceil(rect.left())), static_cast<int>(std::ceil(rect.top())));
    const QPoint to(static_cast<int>(std::floor(rect.right())), static_cast<int>(std::floor(rect.bottom())));
    return {from, QSize(to.x() - from.x(), to.y() - from.y())};
}

/// Of what is painted on: 1 for files of vectors.
double ratioOf(const QPainter &painter)
{
    return painter.device()->devicePixelRatioF();
}

} // namespace

int frontSheet(const ShardScene &scene, const ShardLook &look)
{
    const std::optional<RankPlace> place = look.current ? scene.placeOf(*look.current) : std::nullopt;
    return place ? place->sheet : 0;
}

ShardPainter::ShardPainter(QPainter &painter, const ShardScene &scene, const ShardLook &look, const ShardFrame &frame)
    : m_painter(painter)
    , m_scene(scene)
    , m_look(look)
    , m_frame(frame)
    , m_bands{frame.rowBands(scene, ratioOf(painter)), frame.columnBands(scene, ratioOf(painter))}
    , m_front(frontSheet(scene, look))
{
}

void ShardPainter::paint()
{
    if (m_scene.isEmpty())
        return;
    for (int step = m_frame.behind(); step > 0; --step)
        paintSheetBehind(step);
    m_painter.fillRect(m_frame.plot(), m_look.theme->colour(Token::Canvas));
    paintSheet(m_front);
    if (m_scene.terms() > 1)
        paintHatch();
    paintPadding();
    paintTexts();
    paintCurrent();
    paintRowLabels();
    paintColumnLabels();
}

template <class With>
void ShardPainter::forEachCell(const QSizeF &least, const With &with) const
{
    for (const AxisBand &row : m_bands.rows) {
        const QRectF strip = m_frame.rect(row.positions, {0, m_scene.columns().extent()});
        if (row.kind != Kind::Held || strip.height() < least.height())
            continue;
        for (const AxisBand &column : m_bands.columns) {
            const QRectF cell = m_frame.rect(row.positions, column.positions);
            if (column.kind == Kind::Held && cell.width() >= least.width())
                with(row, column, cell);
        }
    }
}

void ShardPainter::paintSheet(int sheet)
{
    if (needsMosaic(m_bands)) {
        m_painter.drawImage(m_frame.plot(),
                            mosaicOf(m_scene, m_frame, m_bands, sheet, *m_look.theme, ratioOf(m_painter)));
        return;
    }
    forEachCell({0, 0}, [&](const AxisBand &row, const AxisBand &column, const QRectF &cell) {
        paintCell(cell, m_scene.rankAt({sheet, row.part, column.part}));
    });
}

/// Its lower right edge, which looks out; a line of ground is between it and the one before.
void ShardPainter::paintSheetBehind(int step)
{
    const QPointF shift(step * SheetStep, step * SheetStep);
    const QRectF sheet = m_frame.plot().translated(shift);
    const QRectF before = sheet.translated(-SheetStep + 1, -SheetStep + 1);
    m_painter.save();
    m_painter.setClipRegion(QRegion(sheet.toAlignedRect()) - QRegion(before.toAlignedRect()), Qt::IntersectClip);
    m_painter.translate(shift);
    paintSheet((m_front + step) % m_scene.sheets());
    m_painter.restore();
}

void ShardPainter::paintCell(const QRectF &cell, RankId rank)
{
    const QRectF inside = cell.adjusted(0, 0, cell.width() >= GapFrom ? -1 : 0, cell.height() >= GapFrom ? -1 : 0);
    m_painter.fillRect(inside, m_look.theme->colour(rank));
    const Qt::BrushStyle pattern = style::Theme::patternOf(rank);
    if (pattern == Qt::NoBrush || std::min(cell.width(), cell.height()) < PatternFrom)
        return;
    if (isOnScreen(m_painter))
        m_painter.drawTiledPixmap(wholeUnitsIn(inside), rankTile(*m_look.theme, rank, ratioOf(m_painter)));
    else
        m_painter.fillRect(inside, QBrush(patternInk(*m_look.theme), pattern));
}

void ShardPainter::paintHatch()
{
    const QRectF &plot = m_frame.plot();
    if (isOnScreen(m_painter)) {
        m_painter.drawTiledPixmap(wholeUnitsIn(plot), hatchTile(*m_look.theme, ratioOf(m_painter)));
        return;
    }
    m_painter.save();
    m_painter.setPen(QPen(hatchInk(*m_look.theme), 1));
    std::vector<QLineF> lines; // each from its upper right end; files of vectors know no clipping
    for (double sum = plot.left() + plot.top() + HatchStep; sum < plot.right() + plot.bottom(); sum += HatchStep) {
        const double right = std::min(plot.right(), sum - plot.top());
        const double left = std::max(plot.left(), sum - plot.bottom());
        lines.emplace_back(right, sum - right, left, sum - left);
    }
    m_painter.drawLines(lines.data(), static_cast<int>(lines.size()));
    m_painter.restore();
}

void ShardPainter::paintPadding()
{
    const QRectF &plot = m_frame.plot();
    for (const AxisBand &row : m_bands.rows)
        if (row.kind == Kind::Padding)
            dot(QRectF(QPointF(plot.left(), m_frame.y(static_cast<double>(row.positions.begin))),
                       QPointF(plot.right(), m_frame.y(static_cast<double>(row.positions.end)))) &
                plot);
    for (const AxisBand &column : m_bands.columns)
        if (column.kind == Kind::Padding)
            dot(QRectF(QPointF(m_frame.x(static_cast<double>(column.positions.begin)), plot.top()),
                       QPointF(m_frame.x(static_cast<double>(column.positions.end)), plot.bottom())) &
                plot);
}

/// On one grid for the whole picture, so that strips that cross have one pattern.
void ShardPainter::dot(const QRectF &strip)
{
    if (strip.width() < 1 || strip.height() < 1)
        return;
    m_painter.fillRect(strip, m_look.theme->colour(Token::Canvas));
    QPen pen(m_look.theme->colour(Token::Dim), DotSize);
    pen.setCapStyle(Qt::FlatCap);
    pen.setDashPattern({1, DotStep / DotSize - 1});
    const QPointF corner = m_frame.plot().topLeft();
    const auto onGrid = [](double from, double grid) {
        return grid + (std::ceil((from - grid) / DotStep - 0.5) + 0.5) * DotStep;
    };
    m_painter.save();
    m_painter.setPen(pen);
    const double left = onGrid(strip.left(), corner.x());
    for (double y = onGrid(strip.top(), corner.y()); y < strip.bottom() && left < strip.right(); y += DotStep)
        m_painter.drawLine(QPointF(left, y), QPointF(strip.right(), y));
    m_painter.restore();
}

void ShardPainter::paintTexts()
{
    QFont bold = m_look.font;
    bold.setWeight(QFont::DemiBold);
    m_painter.setFont(bold);
    const QFontMetricsF metrics(bold);
    const QSizeF least(metrics.horizontalAdvance('0') + TextMargin, LeastLines * metrics.height());
    const double named = metrics.horizontalAdvance(ranksText({RankId{0}})) + TextMargin; // narrower ones have numbers
    forEachCell(least, [&](const AxisBand &row, const AxisBand &column, const QRectF &cell) {
        const RankId rank = m_scene.rankAt({m_front, row.part, column.part});
        paintText(cell,
                  cell.width() < named ? QStringList{QString::number(rank.value)}
                                       : cellTexts(m_scene, row, column, m_front),
                  m_look.theme->colour(rank));
    });
}

void ShardPainter::paintText(const QRectF &cell, const QStringList &texts, const QColor &ground)
{
    const QFontMetricsF metrics(m_painter.font());
    for (const QString &text : texts) {
        const QSizeF size(metrics.horizontalAdvance(text) + TextMargin, metrics.height());
        if (size.width() > cell.width())
            continue;
        QRectF place({0, 0}, size);
        place.moveCenter(cell.center());
        if (m_scene.terms() > 1) // the hatching would go through it
            m_painter.fillRect(place, ground);
        m_painter.setPen(m_look.theme->colour(Token::Ink));
        m_painter.drawText(place, Qt::AlignCenter | Qt::TextDontClip, text);
        return;
    }
}

void ShardPainter::paintCurrent()
{
    const std::optional<RankPlace> place = m_look.current ? m_scene.placeOf(*m_look.current) : std::nullopt;
    if (!place)
        return;
    m_painter.save();
    m_painter.setPen(QPen(m_look.theme->colour(Token::Ink), CurrentWidth));
    m_painter.setBrush(Qt::NoBrush);
    forEachCell({LeastCurrent, LeastCurrent}, [&](const AxisBand &row, const AxisBand &column, const QRectF &cell) {
        if (row.part == place->row && column.part == place->column)
            m_painter.drawRect(cell.adjusted(1, 1, -2, -2));
    });
    m_painter.restore();
}

void ShardPainter::paintRowLabels()
{
    if (m_scene.view().rowDim < 0)
        return;
    m_painter.setFont(m_look.font);
    m_painter.setPen(m_look.theme->colour(Token::Dim));
    const QFontMetricsF metrics(m_look.font);
    const QRectF &plot = m_frame.plot();
    double free = plot.top() - metrics.height();
    const auto label = [&](std::int64_t index, std::int64_t position) {
        const double y = m_frame.y(static_cast<double>(position));
        if (y < plot.top() - 1 || y > plot.bottom() + 1 || y < free)
            return;
        m_painter.drawText(QRectF(plot.left() - 6 - 200, y - metrics.height() / 2, 200, metrics.height()),
                           Qt::AlignRight | Qt::AlignVCenter, QString::number(index));
        free = y + metrics.height();
    };
    forEachBorder(m_bands.rows, label);
}

void ShardPainter::paintColumnLabels()
{
    if (m_scene.view().columnDim < 0)
        return;
    m_painter.setFont(m_look.font);
    m_painter.setPen(m_look.theme->colour(Token::Dim));
    const QFontMetricsF metrics(m_look.font);
    const QRectF &plot = m_frame.plot();
    double free = plot.left() - plot.width();
    const auto label = [&](std::int64_t index, std::int64_t position) {
        const QString text = QString::number(index);
        const double width = metrics.horizontalAdvance(text);
        const double x = m_frame.x(static_cast<double>(position));
        if (x < plot.left() - 1 || x > plot.right() + 1 || x - width / 2 < free)
            return;
        m_painter.drawText(QRectF(x - width / 2 - 2, plot.top() - metrics.height() - 2, width + 4, metrics.height()),
                           Qt::AlignCenter | Qt::TextDontClip, text);
        free = x + width / 2 + TextMargin;
    };
    forEachBorder(m_bands.columns, label);
}

} // namespace pipescope::shardview

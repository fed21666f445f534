#include "shardview/shard_frame.h"

#include <QFontMetricsF>
#include <QString>
#include <algorithm>
#include <cmath>

namespace pipescope::shardview {

namespace {

constexpr double LabelGap = 6;     ///< between a label and the picture
constexpr double MostSkewed = 2.5; ///< how much longer one side is drawn than the other
constexpr double LineShare = 0.25; ///< of the width: the height of what has one dimension
constexpr double LeastLine = 40;
constexpr double ScalarSize = 140;
constexpr double MostZoom = 1e7;

SeenPositions seenOf(std::int64_t extent, double factor, double middle)
{
    const double span = static_cast<double>(extent) / factor;
    const double begin =
        std::clamp(middle * static_cast<double>(extent) - span / 2, 0.0, static_cast<double>(extent) - span);
    return {begin, begin + span};
}

/// Within the room, as long and as high as the sides make it.
QSizeF sizeOf(const ShardScene &scene, const QSizeF &room)
{
    if (scene.view().columnDim < 0)
        return QSizeF(ScalarSize, ScalarSize).boundedTo(room);
    if (scene.view().rowDim < 0)
        return {room.width(), std::min(room.height(), std::max(LeastLine, room.width() * LineShare))};
    const double rows = std::max<double>(1, static_cast<double>(scene.rows().extent()));
    const double columns = std::max<double>(1, static_cast<double>(scene.columns().extent()));
    const double ratio = std::clamp(columns / rows, 1 / MostSkewed, MostSkewed);
    const double width = std::min(room.width(), room.height() * ratio);
    return {width, width / ratio};
}

ShardZoom within(ShardZoom zoom)
{
    const double half = 0.5 / zoom.factor;
    zoom.middle.setX(std::clamp(zoom.middle.x(), half, 1 - half));
    zoom.middle.setY(std::clamp(zoom.middle.y(), half, 1 - half));
    return zoom;
}

} // namespace

ShardFrame::ShardFrame(const ShardScene &scene, const QRectF &room, const QFontMetricsF &metrics, const ShardZoom &zoom)
    : m_behind(std::min(scene.sheets() - 1, MostBehind))
    , m_rows(seenOf(scene.rows().extent(), zoom.factor, zoom.middle.y()))
    , m_columns(seenOf(scene.columns().extent(), zoom.factor, zoom.middle.x()))
{
    const double label = metrics.horizontalAdvance(QString::number(scene.rows().length())) + LabelGap;
    const double sheets = m_behind * SheetStep;
    const QRectF inner = room.adjusted(scene.view().rowDim < 0 ? 0 : label,
                                       scene.view().columnDim < 0 ? 0 : metrics.height() + 2, -sheets - 1, -sheets - 1);
    const QSizeF size = sizeOf(scene, inner.size().expandedTo({1, 1}));
    m_plot = QRectF(inner.topLeft(), size);
    // In whole units: edges of cells are sharp where bands begin with pixels.
    m_plot.moveTo(std::round(inner.left() + std::max(0.0, inner.width() - size.width()) / 2), std::round(inner.top()));
    m_plot.setSize({std::floor(size.width()), std::floor(size.height())});
}

double ShardFrame::x(double column) const
{
    return m_plot.left() + (column - m_columns.begin) / m_columns.span() * m_plot.width();
}

double ShardFrame::y(double row) const
{
    return m_plot.top() + (row - m_rows.begin) / m_rows.span() * m_plot.height();
}

QRectF ShardFrame::rect(const shard::IndexRange &rows, const shard::IndexRange &columns) const
{
    const QPointF from(x(static_cast<double>(columns.begin)), y(static_cast<double>(rows.begin)));
    const QPointF to(x(static_cast<double>(columns.end)), y(static_cast<double>(rows.end)));
    return QRectF(from, to) & m_plot;
}

std::optional<ShardSpot> ShardFrame::spotAt(const ShardScene &scene, QPointF screen) const
{
    if (scene.isEmpty() || !m_plot.contains(screen))
        return std::nullopt;
    const auto at = [](double share, const SeenPositions &seen, const ShardAxis &axis) {
        const auto position = static_cast<std::int64_t>(std::floor(seen.begin + share * seen.span()));
        return axis.spotAt(std::clamp<std::int64_t>(position, 0, axis.extent() - 1));
    };
    return ShardSpot{at((screen.y() - m_plot.top()) / m_plot.height(), m_rows, scene.rows()),
                     at((screen.x() - m_plot.left()) / m_plot.width(), m_columns, scene.columns())};
}

std::vector<AxisBand> ShardFrame::rowBands(const ShardScene &scene, double perUnit) const
{
    return scene.rows().bands(m_rows.begin, m_rows.end, static_cast<int>(m_plot.height() * perUnit));
}

std::vector<AxisBand> ShardFrame::columnBands(const ShardScene &scene, double perUnit) const
{
    return scene.columns().bands(m_columns.begin, m_columns.end, static_cast<int>(m_plot.width() * perUnit));
}

ShardZoom zoomedAt(const ShardZoom &zoom, QPointF place, double by)
{
    ShardZoom after;
    after.factor = std::clamp(zoom.factor * by, 1.0, MostZoom);
    const QPointF fromMiddle = place - QPointF(0.5, 0.5);
    after.middle = zoom.middle + fromMiddle / zoom.factor - fromMiddle / after.factor;
    return within(after);
}

ShardZoom panned(const ShardZoom &zoom, QPointF by)
{
    return within({zoom.factor, zoom.middle - by / zoom.factor});
}

} // namespace pipescope::shardview

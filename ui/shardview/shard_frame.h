// Where the picture of a layout stands on the screen, and what of it is seen: screen to places of the tensor and back.
#pragma once

#include "shardview/shard_scene.h"

#include <QPointF>
#include <QRectF>
#include <optional>
#include <vector>

class QFontMetricsF;

namespace pipescope::shardview {

/// How closely the picture is seen: 1 for all of it, and which part of the sides the middle shows, 0 to 1.
struct ShardZoom
{
    double factor = 1;
    QPointF middle = {0.5, 0.5};

    friend bool operator==(const ShardZoom &, const ShardZoom &) = default;
};

/// Positions of a side that are seen; `end` is not included.
struct SeenPositions
{
    double begin = 0;
    double end = 1;

    [[nodiscard]] double span() const { return end - begin; }
    friend bool operator==(const SeenPositions &, const SeenPositions &) = default;
};

/// Of how many sheets behind the front one an edge is seen at most, and how wide.
inline constexpr int MostBehind = 3;
inline constexpr double SheetStep = 6;

class ShardFrame
{
public:
    /// In `room`, with place for labels above and left of the picture, and for the sheets behind it.
    ShardFrame(const ShardScene &scene, const QRectF &room, const QFontMetricsF &metrics, const ShardZoom &zoom);

    /// The front sheet, or what is seen of it.
    [[nodiscard]] const QRectF &plot() const { return m_plot; }
    [[nodiscard]] int behind() const { return m_behind; }
    [[nodiscard]] const SeenPositions &rows() const { return m_rows; }
    [[nodiscard]] const SeenPositions &columns() const { return m_columns; }

    [[nodiscard]] double x(double column) const;
    [[nodiscard]] double y(double row) const;
    [[nodiscard]] QRectF rect(const shard::IndexRange &rows, const shard::IndexRange &columns) const;
    /// nullopt outside of the plot.
    [[nodiscard]] std::optional<ShardSpot> spotAt(const ShardScene &scene, QPointF screen) const;

    /// What is seen of the sides, at most a band for each of `perUnit` pixels a screen unit.
    [[nodiscard]] std::vector<AxisBand> rowBands(const ShardScene &scene, double perUnit) const;
    [[nodiscard]] std::vector<AxisBand> columnBands(const ShardScene &scene, double perUnit) const;

private:
    QRectF m_plot;
    int m_behind = 0;
    SeenPositions m_rows;
    SeenPositions m_columns;
};

/// The zoom after a turn of the wheel at a place of the plot (0 to 1 each way), which stays where it is.
[[nodiscard]] ShardZoom zoomedAt(const ShardZoom &zoom, QPointF place, double by);
/// After dragging by a part of the plot.
[[nodiscard]] ShardZoom panned(const ShardZoom &zoom, QPointF by);

} // namespace pipescope::shardview

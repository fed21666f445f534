// Paints lanes, ruler and headers, and over them what is selected and pointed at. All colours are the theme's; what a
// colour says, a number, a pattern or a place says too.
#pragma once

#include "style/theme.h"
#include "timeline/column_image.h"
#include "timeline/lane_geometry.h"

#include <QFont>
#include <QPixmap>
#include <array>
#include <optional>
#include <utility>

class QPainter;

namespace pipescope::timeline {

/// What is to be painted. Refers to the runs, at least one, and to the theme.
struct Scene
{
    const ShownRuns &runs;
    const style::Theme &theme;
    LaneGeometry geometry;
    Coordinates seen; ///< as wide as the geometry's axis
    QFont font;
};

class RelatedSlices;

/// What changes while a pointer moves, painted over the lanes.
struct Overlay
{
    std::optional<Spot> current;
    std::optional<Spot> hovered;
    RankId rank;                                       ///< selected as a whole
    std::optional<std::pair<double, double>> measured; ///< two times, in either order
    RankId measuredRank;                               ///< that they are of; invalid: of all
    const RelatedSlices *related = nullptr;            ///< outlined too; nullptr: none
};

class LanePainter
{
public:
    LanePainter(const Scene &scene, QPainter &painter);

    /// Everything but the overlay.
    void paintLanes();
    void paintOverlay(const Overlay &overlay);

private:
    void paintHeader(int index);
    void paintMark(const QRectF &mark, const std::vector<StageId> &stages);
    /// Left of a row, between two heights.
    void paintHeaderLine(const QRectF &place, const QString &text, bool isTitle);
    void paintLane(int index);
    void paintRow(int index, int row);
    void paintMemory(int index);
    void paintBar(Spot at, const Bar &bar);
    [[nodiscard]] QRect rectOf(const Bar &bar) const;
    void paintWait(const QRect &rect);
    void paintPattern(const QRect &rect, const Bar &bar);
    void paintLabel(const QRect &rect, Spot at, const QColor &ground);
    void paintGrid();
    void paintRuler();
    void paintMeasure(double oneNs, double otherNs, RankId rank);
    /// From the end of one rectangle to the begin of another.
    void paintArrow(const QRectF &from, const QRectF &to, Qt::PenStyle style);
    void paintDependencies(Spot spot);
    [[nodiscard]] QColor colourOf(const Bar &bar) const;
    [[nodiscard]] QRectF rectOf(Spot spot) const;
    [[nodiscard]] const QPixmap &tile(int hatch);

    const Scene &m_scene;
    QPainter &m_painter;
    QFont m_numbers;
    double m_letterWidth = 0;
    std::array<QPixmap, 2> m_tiles;
    std::array<QRect, 4> m_strips; // of one row, by trace::EventKind
    ColumnImage m_columns;
    std::vector<Bar> m_bars; // of one row, kept to save memory requests
};

} // namespace pipescope::timeline

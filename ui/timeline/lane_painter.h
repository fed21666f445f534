// Paints lanes and headers, and over them what is selected and pointed at; ground and ruler are the plot's. All colours
// are the theme's; what a colour says, a number, a pattern or a place says too.
#pragma once

#include "timeline/lane_rows.h"

#include <QPixmap>
#include <QPolygonF>
#include <array>
#include <optional>
#include <utility>

class QPainter;

namespace pipescope::timeline {

class RelatedSlices;

/// What changes while a pointer moves, painted over the lanes.
struct Overlay
{
    std::optional<Spot> current;
    std::optional<Spot> hovered;
    RankId rank;                                       ///< selected as a whole
    std::optional<std::pair<double, double>> measured; ///< two times, in either order
    RankId measuredRank;                               ///< that they are of; invalid: of all
    bool isFocused = false;                            ///< keys are heard here
    const RelatedSlices *related = nullptr;            ///< outlined too; nullptr: none
    QString card = {};                                 ///< said of a bubble that is hovered; "": nothing
};

class LanePainter
{
public:
    LanePainter(const Scene &scene, QPainter &painter);

    /// Everything but the overlay.
    void paintLanes();
    /// With rows that are kept for the next time.
    void paintLanes(LaneRows &rows);
    void paintOverlay(const Overlay &overlay);

private:
    void paintHeader(int index);
    void paintMark(const QRectF &mark, const std::vector<StageId> &stages);
    /// Left of a row, between two heights.
    void paintHeaderLine(const QRectF &place, const QString &text, bool isTitle);
    void paintRow(const LaneRow &row);
    /// In the lane's whole height, for where the rank does nothing else.
    void paintTransferGround(const LaneRow &row, const Bar &bar);
    void paintMemory(int index);
    [[nodiscard]] QPolygonF memoryArea(int index, int run, double peak, const QRectF &strip) const;
    void paintBar(const LaneRow &row, const Bar &bar, LabelForm form);
    void paintPattern(const QRect &rect, const Bar &bar);
    void paintLabel(const QRect &rect, Spot at, const QColor &ground, LabelForm form);
    void paintOrigin();
    void paintMeasure(double oneNs, double otherNs, RankId rank);
    /// From the end of one rectangle to the begin of another.
    void paintArrow(const QRectF &from, const QRectF &to, Qt::PenStyle style);
    void paintDependencies(Spot spot);
    [[nodiscard]] QRectF rectOf(Spot spot) const;
    [[nodiscard]] const QPixmap &tile(int hatch);

    const Scene &m_scene;
    QPainter &m_painter;
    QFont m_numbers;
    double m_letterWidth = 0;
    std::array<QPixmap, 2> m_tiles;
};

} // namespace pipescope::timeline

// Draws the picture of a layout: the sheets behind, the cells of the front one in their ranks' colours, hatching of
// Partial values, dots of padding, and what is written in cells and along the sides.
#pragma once

#include "shardview/shard_mosaic.h"

#include <QFont>
#include <QString>
#include <QStringList>
#include <optional>

class QPainter;

namespace pipescope::shardview {

/// What the picture is drawn with.
struct ShardLook
{
    const style::Theme *theme = &style::Theme::dark();
    QFont font;
    std::optional<RankId> current; ///< outlined, its sheet in front
};

/// The sheet in front: the current rank's, else the first.
[[nodiscard]] int frontSheet(const ShardScene &scene, const ShardLook &look);

/// What can stand in a cell, the longest text first: "rank 3: rows 24 to 31", "rank 3", "3".
[[nodiscard]] QStringList cellTexts(const ShardScene &scene, const AxisBand &row, const AxisBand &column, int sheet);

class ShardPainter
{
public:
    /// All but the frame must outlive this.
    ShardPainter(QPainter &painter, const ShardScene &scene, const ShardLook &look, const ShardFrame &frame);

    void paint();

private:
    void paintSheet(int sheet);
    void paintSheetBehind(int step);
    void paintCell(const QRectF &cell, RankId rank);
    void paintHatch();
    void paintPadding();
    void dot(const QRectF &strip);
    void paintTexts();
    void paintText(const QRectF &cell, const QStringList &texts, const QColor &ground);
    void paintCurrent();
    void paintRowLabels();
    void paintColumnLabels();

    /// Calls `with` for each cell that one rank has and that is as large.
    template <class With>
    void forEachCell(const QSizeF &least, const With &with) const;

    QPainter &m_painter;
    const ShardScene &m_scene;
    const ShardLook &m_look;
    const ShardFrame m_frame;
    SeenBands m_bands;
    int m_front;
};

} // namespace pipescope::shardview

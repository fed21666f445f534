// What one call of GraphPainter::paint() works with: seen by its own files only.
#pragma once

#include "graphview/graph_painter.h"

#include <algorithm>
#include <optional>
#include <vector>

namespace pipescope::graphview {

struct GraphPainter::Frame
{
    QPainter &painter;
    const Picture &picture;
    const Look &look;
    double zoom;
    QRectF seen; ///< of the scene, with room for the width of lines
    std::vector<int> boxes;
    std::vector<int> edges;

    [[nodiscard]] const Box &box(int index) const { return picture.scene.tree.boxes[static_cast<std::size_t>(index)]; }
    [[nodiscard]] const QRectF &rect(int index) const { return picture.scene.rects[static_cast<std::size_t>(index)]; }
    [[nodiscard]] QColor colour(style::Token token) const { return look.theme->colour(token); }
    [[nodiscard]] StageSpan stages(int index) const
    {
        return look.stages ? (*look.stages)[static_cast<std::size_t>(index)] : StageSpan{};
    }
    /// Of a stage that is not selected while another one is.
    [[nodiscard]] bool standsBack(int index) const
    {
        const StageSpan span = stages(index);
        return look.stage.valid() && (look.stage < span.first || span.last < look.stage);
    }
    /// Between 0 and 1; nullopt where there is nothing to show.
    [[nodiscard]] std::optional<double> share(int index) const
    {
        const auto found = amount(picture.costs[static_cast<std::size_t>(index)], look.overlay);
        return found && look.largest > 0 ? std::optional(std::clamp(*found / look.largest, 0.0, 1.0)) : std::nullopt;
    }
    [[nodiscard]] bool isMatch(int index) const { return look.matches && look.matches->contains(index); }
    [[nodiscard]] QPen pen(style::Token token, double width = 1) const
    {
        QPen made(colour(token), width);
        made.setCosmetic(true);
        return made;
    }
};

} // namespace pipescope::graphview

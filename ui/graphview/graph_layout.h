// Where everything of a box tree stands: groups are laid out from the innermost outwards, then given absolute places.
// The result is flat arrays of numbers, which painting and searching by place work on.
#pragma once

#include "graphview/box_sizes.h"
#include "graphview/box_tree.h"
#include "graphview/layout_cache.h"

#include <QPointF>
#include <QRectF>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <vector>

namespace pipescope::graphview {

/// A drawn piece of wire, inside one group, from top to bottom.
struct SceneEdge
{
    int group = 0;
    int from = -1; ///< index of a box; -1 for an in-port of the group
    int to = -1;   ///< likewise; -1 for an out-port
    int firstPoint = 0;
    int pointCount = 0;
    int firstValue = 0;
    int valueCount = 0;
    QRectF bounds;
};

/// Stands for the wires at one end of a box that are too long to be drawn.
struct ScenePort
{
    enum class Side {
        Takes, ///< above the box: these values come from afar
        Gives, ///< below it: these go far
    };
    int box = 0;
    Side side = Side::Takes;
    QPointF at; ///< where it touches the box
    std::vector<ValueId> values;
};

struct GraphScene
{
    BoxTree tree;
    std::vector<QRectF> rects; ///< by box
    std::vector<SceneEdge> edges;
    std::vector<QPointF> points;  ///< of all edges, one after another
    std::vector<ValueId> values;  ///< likewise
    std::vector<ScenePort> ports; ///< by box, takes before gives
    QRectF bounds;

    [[nodiscard]] std::span<const QPointF> pointsOf(const SceneEdge &edge) const
    {
        return std::span(points).subspan(static_cast<std::size_t>(edge.firstPoint),
                                         static_cast<std::size_t>(edge.pointCount));
    }
    [[nodiscard]] std::span<const ValueId> valuesOf(const SceneEdge &edge) const
    {
        return std::span(values).subspan(static_cast<std::size_t>(edge.firstValue),
                                         static_cast<std::size_t>(edge.valueCount));
    }
};

/// Nullopt when stopped. The same tree and widths give the same scene, whatever the cache holds. Any thread, one at a
/// time for a cache.
[[nodiscard]] std::optional<GraphScene> layOutGraph(BoxTree tree, const TextWidth &width, LayoutCache &cache,
                                                    const std::stop_token &stop = {});

} // namespace pipescope::graphview

// Where on the canvas a split can be shown: between the boxes before a position of the program order and those after.
#pragma once

#include "graphview/graph_layout.h"

namespace pipescope::graphview {

/// A position that lies between two boxes shown.
struct SplitPlace
{
    int position = 0;
    double top = 0;    ///< lower end of all that comes before, in the scene
    double bottom = 0; ///< upper end of all that comes after
    double left = 0;   ///< of the two boxes next to it
    double right = 0;

    /// One line divides the picture; false where branches stand side by side.
    [[nodiscard]] bool straight() const { return top <= bottom; }
    [[nodiscard]] double y() const { return (top + bottom) / 2; }

    friend bool operator==(const SplitPlace &, const SplitPlace &) = default;
};

/// Ascending by position, the straight ones thereby from top to bottom. Linear in boxes and nodes.
[[nodiscard]] std::vector<SplitPlace> splitPlaces(const GraphScene &scene);

/// Null where the position lies inside a closed box.
[[nodiscard]] const SplitPlace *placeOf(const std::vector<SplitPlace> &places, int position);

/// The straight place whose gap between its two boxes holds the point; null for none.
[[nodiscard]] const SplitPlace *gapAt(const std::vector<SplitPlace> &places, QPointF scene);

/// The place nearest in height, of those in [first, last] by position; null for none.
[[nodiscard]] const SplitPlace *nearestPlace(const std::vector<SplitPlace> &places, double y, int first, int last);

/// Whether an edge goes from before a position to behind it.
[[nodiscard]] bool goesOver(const GraphScene &scene, const SceneEdge &edge, int position);

/// Where a cut is marked on an edge, in the scene.
[[nodiscard]] QPointF markOf(const GraphScene &scene, const SceneEdge &edge);

/// The positions that an edge goes over: [first, second].
[[nodiscard]] std::pair<int, int> positionsOf(const GraphScene &scene, const SceneEdge &edge);

} // namespace pipescope::graphview

// Splits that lie inside closed boxes, where no gap between two boxes can show them.
#pragma once

#include "graphview/graph_layout.h"

#include <QLineF>
#include <array>

namespace pipescope::graphview {

struct SplitInside
{
    int position = 0;
    int box = 0; ///< the closed one

    friend bool operator==(const SplitInside &, const SplitInside &) = default;
};

/// Those of the cuts (ascending) that are inside a closed box, ascending. Linear in boxes.
[[nodiscard]] std::vector<SplitInside> splitsInside(const GraphScene &scene, const std::vector<int> &cuts);

/// Null for none.
[[nodiscard]] const SplitInside *insideOf(const std::vector<SplitInside> &splits, int position);

/// Its marks on both sides of the box, in the scene: as far down as it is in what the box runs.
[[nodiscard]] std::array<QLineF, 2> notchesOf(const GraphScene &scene, const SplitInside &split);

/// Where a pill stands that is wished for at a place: the nearest place above or below where it covers no other, and
/// below where both are as near.
[[nodiscard]] QRectF clearOf(const std::vector<QRectF> &others, const QRectF &pill);

} // namespace pipescope::graphview

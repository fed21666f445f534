// Where looking at a scene begins that is wider than the screen.
#pragma once

#include <QRectF>
#include <vector>

namespace pipescope::graphview {

/// The left end of the columns, `width` wide, that hold most of the boxes whole and hold `first` in any case; the
/// leftmost of several. Where `first` is wider than that, its own left end. O(n log n).
[[nodiscard]] double fullestColumns(const std::vector<QRectF> &boxes, const QRectF &first, double width);

} // namespace pipescope::graphview

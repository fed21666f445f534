#include "shard/layout_totals.h"

#include "shard/geometry.h"

#include <algorithm>

namespace pipescope::shard {

LayoutTotals layoutTotals(const Layout &layout)
{
    LayoutTotals totals;
    for (int meshDim = 0; meshDim < layout.mesh().ndim(); ++meshDim)
        totals.copies *=
            isSharded(layout.placements()[static_cast<std::size_t>(meshDim)]) ? 1 : layout.mesh().size(meshDim);
    std::int64_t uncut = layout.itemSize(); // bytes of an element along all dimensions that nothing cuts
    std::vector<int> cutDims;
    for (int dim = 0; dim < layout.ndim(); ++dim) {
        if (layout.cuts(dim).empty())
            uncut *= layout.shape()[static_cast<std::size_t>(dim)];
        else
            cutDims.push_back(dim);
    }
    for (int i = 0; i < layout.mesh().size(); ++i) {
        const Coordinate place = layout.mesh().coordinateAt(i);
        std::int64_t bytes = uncut;
        for (const int dim : cutDims)
            bytes *= localSize(layout, place, dim);
        totals.largestBytes = std::max(totals.largestBytes, bytes);
        if (bytes == 0)
            totals.empty.push_back(layout.mesh().ranks()[static_cast<std::size_t>(i)]);
    }
    return totals;
}

} // namespace pipescope::shard

// What the ranks of a layout hold together.
#pragma once

#include "shard/layout.h"

#include <cstdint>
#include <vector>

namespace pipescope::shard {

struct LayoutTotals
{
    std::int64_t copies = 1;       ///< how many ranks hold each element, or a partial value of it
    std::int64_t largestBytes = 0; ///< of the rank that holds most
    std::vector<RankId> empty;     ///< the ranks that hold no element, in the order of DeviceMesh::ranks()

    friend bool operator==(const LayoutTotals &, const LayoutTotals &) = default;
};

[[nodiscard]] LayoutTotals layoutTotals(const Layout &layout);

} // namespace pipescope::shard

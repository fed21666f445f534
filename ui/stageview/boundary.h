// The boundary between two stages, moved from one legal place to the next: which split becomes which.
#pragma once

#include "partition/split_point.h"

#include <optional>
#include <string>
#include <vector>

namespace pipescope::stageview {

struct BoundaryMove
{
    std::string from; ///< split points as --split has them
    std::string to;
    int position = 0; ///< of `to` in the graph's order

    friend bool operator==(const BoundaryMove &, const BoundaryMove &) = default;
};

/// Boundary b stands before stage b + 1, at cuts[b]. `steps` legal places later (earlier where negative), as far as the
/// boundaries beside it leave room; nullopt where it cannot move at all, and for a boundary that is not there.
[[nodiscard]] std::optional<BoundaryMove> moveBoundary(const std::vector<partition::SplitPoint> &points,
                                                       const std::vector<int> &cuts, int boundary, int steps);

} // namespace pipescope::stageview

// What moves in a collective: a rank's share of the copying and adding, done straight from the tensors of the other
// ranks.
#pragma once

#include "base/result.h"
#include "dtensor/collective_request.h"

#include <vector>

namespace pipescope::dtensor {

/// What a rank brings, and what it gets.
struct CollectivePart
{
    at::Tensor input; ///< undefined for a barrier
    at::Tensor output;
    std::optional<Route> route;
    std::string meshDims;
};

/// The part of a rank that asks for this call, with its tensor as others can read it. May throw as LibTorch does.
[[nodiscard]] CollectivePart makePart(const CollectiveCall &call, const CollectiveRequest &request);

/// Does the share of the rank at `place`: of an all-reduce its slice of the result in the outputs of all ranks, else
/// its own output. The inputs are only read. Error: LibTorch's, or no memory.
Status doShare(const CollectiveCall &call, std::vector<CollectivePart> &parts, std::size_t place);

} // namespace pipescope::dtensor

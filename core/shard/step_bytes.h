// The bytes that one rank gives to a collective and has after it.
#pragma once

#include "shard/cost_model.h"
#include "shard/layout.h"

#include <cstdint>

namespace pipescope::shard {

/// Bytes of one rank, the one that has most. All 0 for what moves nothing; no number passes what an int64 holds.
struct StepBytes
{
    std::int64_t in = 0;  ///< that the rank gives
    std::int64_t out = 0; ///< that it has afterwards
    /// The same with every shard padded to the largest, as collectives of equal sizes (NCCL, gloo) send them.
    std::int64_t paddedIn = 0;
    std::int64_t paddedOut = 0;

    friend bool operator==(const StepBytes &, const StepBytes &) = default;
};

/// The bytes of a collective over lines of `ranks` ranks. Upstream pads by the size that the mesh dimension sees; for a
/// tensor dimension that is cut anew along the same lines, the padded bytes are the most that they can be.
[[nodiscard]] StepBytes stepBytes(const Layout &before, const Layout &after, Collective collective, int ranks);

} // namespace pipescope::shard

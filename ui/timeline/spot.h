// A slice or a bubble of the lanes by its place.
#pragma once

#include "trace/explain/slice.h"

namespace pipescope::timeline {

/// The other one is -1.
struct Spot
{
    int lane = 0;
    int slice = -1;
    int bubble = -1; ///< index in trace::Lane::bubbles
    int run = 0;     ///< index in ShownRuns: the row of the lane

    friend bool operator==(const Spot &, const Spot &) = default;
};

} // namespace pipescope::timeline

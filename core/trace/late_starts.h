// Where a rank could have begun an action and did not: all the action needed from others was there, and the rank's
// thread was not running, because it had not started or woken yet.
#pragma once

#include "trace/trace_index.h"

#include <cstdint>
#include <limits>
#include <vector>

namespace pipescope::trace {

struct LateStarts
{
    static constexpr std::int64_t Never = std::numeric_limits<std::int64_t>::max();

    /// One for each event. Of a compute: since when its rank could have begun it, where that is after the action before
    /// it or before the rank's first one; Never where it is not, or not known; the least number where it needed
    /// nothing. Of a wait: that of the compute after it.
    std::vector<std::int64_t> since;
};

/// What a compute needs is read off the waits and receives before it, followed to the send or the compute they name.
/// Where a trace has no transfers, it is the end of what the compute needs (schedule/needs.h).
/// Any trace will do, with its index. Time n log n.
[[nodiscard]] LateStarts lateStarts(const Trace &trace, const TraceIndex &index);

} // namespace pipescope::trace

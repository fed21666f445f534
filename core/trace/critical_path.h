// The longest chain of computations in a trace. Private to trace/.
#pragma once

#include "trace/event.h"

namespace pipescope::trace {

/// Seconds of Stats::boundSeconds. Time n log n in the number of events.
[[nodiscard]] double criticalPathSeconds(const Trace &trace);

} // namespace pipescope::trace

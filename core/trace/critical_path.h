// The longest chain of computations in a trace. Private to trace/.
#pragma once

#include "schedule/feeds.h"
#include "trace/event.h"

namespace pipescope::trace {

/// Seconds of Stats::boundSeconds, for feedsOf(trace). Time n log n in the number of events.
[[nodiscard]] double criticalPathSeconds(const Trace &trace, const schedule::Feeds &feeds);

} // namespace pipescope::trace

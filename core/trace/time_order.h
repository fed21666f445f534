// The order of what happened, the same wherever a trace is put together: ties are broken alike.
#pragma once

#include "trace/event.h"

#include <vector>

namespace pipescope::trace {

/// By begin, then rank, then end; what is alike in all three keeps its order.
void sortByTime(std::vector<Event> &events);
void sortByTime(std::vector<MemorySample> &samples);

} // namespace pipescope::trace

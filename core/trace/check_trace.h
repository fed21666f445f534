// Whether a trace that came from outside holds together.
#pragma once

#include "base/result.h"
#include "trace/event.h"

namespace pipescope::trace {

/// Counts are not negative, there is a name for each rank (or none at all), every event and memory sample is of a rank,
/// stage and microbatch that the trace has, ends after it begins, and comes in the order of time: what all other code
/// relies on. Error: InvalidFile naming what is wrong.
Status checkTrace(const Trace &trace);

} // namespace pipescope::trace

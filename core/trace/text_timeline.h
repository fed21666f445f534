// A timeline for terminals: one line per rank, a column per slice of time.
#pragma once

#include "trace/event.h"

#include <string>

namespace pipescope::trace {

/// `columns` is the width of the time axis. A compute cell shows its microbatch's last digit on its stage's colour (ANSI
/// when `colour`), a wait shows '·', a send or receive '»'. Ends with a scale in time units and a legend.
[[nodiscard]] std::string textTimeline(const Trace &trace, int columns, bool colour);

} // namespace pipescope::trace

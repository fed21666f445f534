// A timeline for terminals: one line per rank, a column per slice of time.
#pragma once

#include "trace/event.h"

#include <string>

namespace pipescope::trace {

/// `columns` (at least 10) is the width of the time axis, which begins at 0. A column shows what covers most of its
/// slice: a computation as its microbatch's last digit on its stage's colour (ANSI when `colour`), a wait as '·', a
/// send or receive as '»', nothing as ' '. A computation that is shorter than its slice still takes the column, unless
/// another computation would lose its only one. Below the rows stand a scale with its unit and a legend. Names before
/// the rows are padded to the longest.
[[nodiscard]] std::string textTimeline(const Trace &trace, int columns, bool colour);

} // namespace pipescope::trace

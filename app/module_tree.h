// The module tree as table rows: children indented, runs of like siblings folded into one line.
#pragma once

#include "engine/inspect_job.h"
#include "text_output.h"

#include <string>

namespace pipescope::app {

/// A line per module: name, class, parameters, bytes, and after a sample run calls, time, FLOPs and the first output's
/// shape. With Detail::Short, neighbours of one class and size are one line, "h.0 .. h.11  12 x Block", whose numbers
/// are their sums; the children of the first stand below it.
[[nodiscard]] std::string moduleTree(const report::Inspection &inspection, Detail detail);

} // namespace pipescope::app

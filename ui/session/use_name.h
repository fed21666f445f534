// The names of the uses of a rank's time, the same in every view.
#pragma once

#include "trace/explain/lane_totals.h"

#include <QString>

namespace pipescope::session {

/// "forward", "send", "wait for input"; bubbles otherwise by the name of their cause: "fill", "not running".
[[nodiscard]] QString useName(trace::Use use);

} // namespace pipescope::session

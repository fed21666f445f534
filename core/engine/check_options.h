// How a plan's runs are compared. Private to engine/.
#pragma once

#include "check/equivalence.h"
#include "plan/plan.h"

namespace pipescope::engine {

[[nodiscard]] check::CheckOptions checkOptions(const plan::Plan &plan);

} // namespace pipescope::engine

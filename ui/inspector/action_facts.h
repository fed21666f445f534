// What is known of a stage's run of a microbatch.
#pragma once

#include "inspector/fact_sheet.h"

namespace pipescope::inspector {

/// Empty without a run that has it, and until that is explained.
[[nodiscard]] FactSheet actionFacts(const schedule::ActionKey &action, const Known &known);

} // namespace pipescope::inspector

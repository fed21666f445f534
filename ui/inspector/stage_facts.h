// What is known of a stage, and of the place between two: what a split there would send.
#pragma once

#include "inspector/fact_sheet.h"

namespace pipescope::inspector {

[[nodiscard]] FactSheet stageFacts(StageId stage, const Known &known);
/// Of the split before order[position], whether there is one or could be.
[[nodiscard]] FactSheet cutFacts(int position, const Known &known);

} // namespace pipescope::inspector

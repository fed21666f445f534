// What is known of a rank of a run, and of a stretch of its time.
#pragma once

#include "inspector/fact_sheet.h"

namespace pipescope::inspector {

[[nodiscard]] FactSheet rankFacts(RankId rank, const Known &known);
/// Of one rank, or of all where the span has none. Empty until the run is explained.
[[nodiscard]] FactSheet spanFacts(const session::SelectedSpan &span, const Known &known);

} // namespace pipescope::inspector

// The facts of what is selected, whatever kind of thing it is.
#pragma once

#include "inspector/fact_sheet.h"

namespace pipescope::inspector {

/// An empty sheet where nothing is selected or the model and the run have no such thing (any more).
[[nodiscard]] FactSheet factsOf(const session::Selected &selected, const Known &known);

} // namespace pipescope::inspector

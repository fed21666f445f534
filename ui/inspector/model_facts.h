// What is known of the model as a whole: shown while nothing in it is selected.
#pragma once

#include "inspector/fact_sheet.h"
#include "report/inspection.h"

namespace pipescope::inspector {

/// An empty sheet for a file of which only the structure was read and no module is known.
[[nodiscard]] FactSheet modelFacts(const report::Inspection &model);

} // namespace pipescope::inspector

// What is known of a module of the model: what it holds, what it runs and costs, what goes in and comes out.
#pragma once

#include "inspector/fact_sheet.h"

namespace pipescope::inspector {

/// Empty for a module that the model does not have. Of one that is never called what it holds is all there is.
[[nodiscard]] FactSheet moduleFacts(const session::SelectedModule &module, const Known &known);

} // namespace pipescope::inspector

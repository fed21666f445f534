// What is known of an operator of the model.
#pragma once

#include "inspector/fact_sheet.h"

namespace pipescope::inspector {

[[nodiscard]] FactSheet nodeFacts(NodeId node, const Known &known);

} // namespace pipescope::inspector

// What is known of a value between operators, and of what the model holds.
#pragma once

#include "inspector/fact_sheet.h"

namespace pipescope::inspector {

/// Parameters and buffers by their graph value, too.
[[nodiscard]] FactSheet valueFacts(ValueId value, const Known &known);
/// By the FQN of a parameter or buffer, whether the method uses it or not.
[[nodiscard]] FactSheet parameterFacts(const std::string &fqn, const Known &known);

} // namespace pipescope::inspector

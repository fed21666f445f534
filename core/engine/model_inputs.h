// Values for a model's arguments. Private to engine/.
#pragma once

#include "base/result.h"
#include "import/imported_model.h"
#include "plan/input_spec.h"

#include <cstdint>
#include <vector>

namespace pipescope::engine {

/// By argument position; errors as tensor::makeInputs, and of a value that the graph is not specialised for.
Result<std::vector<c10::IValue>> makeModelInputs(const import::ImportedModel &model,
                                                 const std::vector<plan::InputSpec> &inputs, std::uint64_t seed);

} // namespace pipescope::engine

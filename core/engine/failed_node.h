// What a node was given when it failed, and what the model says it takes. Private to engine/.
#pragma once

#include "base/error.h"
#include "check/equivalence.h"
#include "import/imported_model.h"

#include <stop_token>
#include <string>
#include <vector>

namespace pipescope::engine {

/// The error of an unsplit run on these arguments with what is known of its node and what to do: "... (x is int64, the
/// weight of fc1 is float32); give it as x=float32[6,4]". The model is run once more up to there. Errors of other codes
/// than ModelFailed are returned as they are.
[[nodiscard]] Error withOperands(Error error, const import::ImportedModel &model,
                                 const std::vector<c10::IValue> &arguments, const check::CheckOptions &options,
                                 const std::stop_token &stop);

} // namespace pipescope::engine

// The order in which a schedule takes the microbatches, which a model that keeps state from call to call depends on.
// Private to engine/.
#pragma once

#include "base/result.h"
#include "import/imported_model.h"
#include "schedule/schedule.h"

#include <vector>

namespace pipescope::engine {

/// The microbatches in the order of the stage's forwards.
[[nodiscard]] std::vector<MicrobatchId> microbatchOrder(const schedule::Schedule &schedule, StageId stage);

/// InvalidArgument where the stages take the microbatches in different orders and the model keeps state: there is no
/// order in which the unsplit model would do the same.
Status checkMicrobatchOrder(const schedule::Schedule &schedule, const import::ImportedModel &model);

} // namespace pipescope::engine

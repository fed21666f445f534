// Who runs what in which order: the schedule for the stages there are, and a device for each rank. Private to engine/.
#pragma once

#include "engine/pipeline_setup.h"

namespace pipescope::engine {

/// Fills the setup's schedule, and its plan's devices where the user gave none.
/// Errors: as the schedule table or a schedule's file gives them; InvalidArgument where counts do not fit together.
Status placeSchedule(PipelineSetup &setup);

} // namespace pipescope::engine

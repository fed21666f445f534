// What a run needs of this machine, told before it begins. Private to engine/.
#pragma once

#include "engine/pipeline_setup.h"
#include "report/run_needs.h"

namespace pipescope::engine {

/// The machine's memory and cores as they are now; the context's, where it has them. Asked before a run's model is
/// loaded, once the one that the context keeps is let go: else its weights would count twice.
[[nodiscard]] report::Machine machineBefore(const JobContext &context);

/// Tells the context what a run of the setup needs; a warning where it has not that much memory.
void tellNeeds(const PipelineSetup &setup, const report::RunRequest &request, const report::Machine &machine,
               const JobContext &context, Warnings &warnings);

} // namespace pipescope::engine

// Why a run of the model failed, and what to do: asked by running it again without stages, on the whole batch, then
// microbatch by microbatch. Private to engine/.
#pragma once

#include "base/error.h"
#include "engine/pipeline_setup.h"

namespace pipescope::engine {

/// The error of a run on the plan's microbatches, in more words. Of the setup model, plan, arguments and chunks are
/// used. Where the model fails on the whole batch, its error there, which has nothing to do with the split, and what
/// the failed node was given; where it fails on a microbatch only, the sizes that work and those that do not, and how
/// else to cut the inputs, where a way was found that works. Errors of other codes than ModelFailed are returned as
/// they are.
[[nodiscard]] Error explainFailure(const Error &error, const PipelineSetup &setup, const JobContext &context);

} // namespace pipescope::engine

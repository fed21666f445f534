// The two questions asked about a run that was made: is it the unsplit model's result, and may the batch be cut at all.
// Private to engine/.
#pragma once

#include "engine/measured_run.h"
#include "engine/run_job.h"

namespace pipescope::engine {

/// Fills the report's comparison fields. Measured runs are compared up to the first that is not equal; of several
/// answers the worst one counts, and says which runs it is of where others gave something else. That the second
/// question cannot be asked is told, and no error; the error codes Cancelled and Internal are. The measured
/// outputs are let go of once they are compared: they may be as large as the weights.
Status compareRun(const PipelineSetup &setup, MeasuredRun &measured, report::RunReport &report,
                  const JobContext &context);

} // namespace pipescope::engine

// The numbers inside one value of a model, as the unsplit model computes it, or inside something the model holds.
#pragma once

#include "base/result.h"
#include "engine/job_context.h"
#include "report/tensor_statistics.h"

namespace pipescope::engine {

/// Loads the model; for a value of the program runs it up to that value and no further, on one rank's threads, and puts
/// state back. A microbatch of a model that keeps state is run after those before it. Errors: as open_model.h,
/// make_input.h, chunks.h and the run itself give them; InvalidArgument where neither or both of value and parameter
/// are named, or there is no such microbatch; NotFound for a name the model does not hold; Unsupported for values
/// inside an if or loop, and for tensors whose numbers are not all stored (sparse ones); Cancelled.
Result<report::StatisticsReport> statistics(const report::StatisticsRequest &request, const JobContext &context);

} // namespace pipescope::engine

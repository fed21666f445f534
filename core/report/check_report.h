// Whether a report that came from outside holds together: what its fields by themselves cannot tell.
#pragma once

#include "base/result.h"
#include "report/inspection.h"
#include "report/tensor_statistics.h"
#include "report/traced_run.h"

namespace pipescope::report {

/// The graph holds together (graph/check_references.h); split points are one for each position, in order, or none; the
/// values that they, and what modules cost, refer to exist. Error: InvalidFile naming what is wrong.
Status checkReport(const Inspection &inspection);

/// Counts are not negative. All else of it is looked at with the trace. Error: InvalidFile naming what is wrong.
Status checkReport(const RunReport &run);

/// As of its report, and: the trace holds together (trace/check_trace.h); statistics by rank and stage, and the stages
/// themselves, are as many as it has, or none; stages and microbatches that are referred to exist. Error: InvalidFile
/// naming what is wrong.
Status checkReport(const TracedRun &run);

/// Counts are not negative and within the number of elements, which is that of the sizes; moments are finite. Error:
/// InvalidFile naming what is wrong.
Status checkReport(const StatisticsReport &statistics);

} // namespace pipescope::report

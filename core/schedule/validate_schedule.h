// Whether a schedule can run: complete, in order, free of deadlock. Stricter than upstream's _validate_schedule, with its
// words: duplicates, ids out of range and cross-rank order are checked too.
#pragma once

#include "schedule/schedule.h"

namespace pipescope::schedule {

struct ValidateOptions {
    bool needsBackward = true; ///< whether a schedule without any backward is incomplete
    /// Most microbatches started and not finished at once; 0 means no limit. A limit can make an unusual order deadlock.
    int maxInFlight = 0;
};

/// Errors (InvalidArgument, or Deadlock with the wait cycle named rank by rank):
/// "Rank r, step t: Running Full Backward for stage s, microbatch m without first running Forward" and its siblings;
/// "Got n FORWARD microbatches for stage s, expected M"; "Rank r, step t: Stage s is assigned to both rank a and rank b";
/// "Rank r, step t: 0F1 appears twice"; "Invalid backward microbatches for stage s: ...". `details` holds the grid with the
/// failing row marked.
Status validateSchedule(const Schedule &schedule, const ValidateOptions &options = {});

} // namespace pipescope::schedule

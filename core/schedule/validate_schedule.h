// Whether a schedule can run: complete, in order, free of deadlock. Stricter than upstream's _validate_schedule, with
// its words: duplicates, ids out of range, cross-rank order and the pairing of transfers are checked too.
#pragma once

#include "schedule/feeds.h"
#include "schedule/schedule.h"

#include <optional>

namespace pipescope::schedule {

struct ValidateOptions
{
    bool needsBackward = true; ///< whether a schedule without any backward is incomplete
    /// Most microbatches begun and not ended at once; 0 means no limit. Stage 0 alone begins them; with a limit, other
    /// stages that none feeds wait for it. One ends with its backward on the stages that none feeds (the weight part
    /// where it is split), in a schedule without backward with its forward on those that feed none. A limit can make an
    /// unusual order deadlock.
    int maxInFlight = 0;
    /// Which stages feed which; a chain where not given. What passes as a chain passes for all models whose stages feed
    /// only later ones.
    std::optional<Feeds> feeds = {};
};

/// In this order, the first fault found is reported; `details` holds the grid with the failing row marked.
/// 1. Rows (InvalidArgument): "Schedule is missing actions for rank r"; "Rank r, step t: Got an invalid action: ..."
/// for ids
///    out of range; "Rank r, step t: Stage s is assigned to both rank a and rank b"; "Rank r, step t: 0F1 appears
///    twice"; "Rank r, step t: Running Full Backward for stage s, microbatch m without first running Forward" and its
///    siblings; "Pipeline wait 0WAIT_SEND_F0 at rank 0 has no pending send" and its sibling for reductions.
/// 2. Counts (InvalidArgument): "Got n FORWARD microbatches for stage s, expected M"; "Invalid backward microbatches
/// for
///    stage s: I and W must have equal counts, but got I=1, W=0" or "... expected M total backwards, but got B=0, I=0,
///    W=0".
/// 3. Transfers, where the schedule spells any out (InvalidArgument): "Computing action=1F0 before receiving input";
///    "Pipeline send 0SEND_F0 has no matching receive 1RECV_F0"; messages of two ranks in different orders at both
///    ends.
/// 4. Order (Deadlock): "Schedule is not progressing: " and who waits for whom in a circle, rank by rank.
/// Time is linear in the number of actions and of what they need.
Status validateSchedule(const Schedule &schedule, const ValidateOptions &options = {});

} // namespace pipescope::schedule

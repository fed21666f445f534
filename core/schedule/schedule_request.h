// A request for a schedule: how many ranks, stages and microbatches, which rank runs which stage, and all that is known
// of costs and memory. Each row of schedule_table.h says whether it has a schedule for the request.
#pragma once

#include "base/ids.h"
#include "base/result.h"

#include <cstdint>
#include <vector>

namespace pipescope::schedule {

/// Which rank runs which stage.
enum class Placement {
    Loop,  ///< in turns: 0 1 2 0 1 2
    V,     ///< there and back: 0 1 2 2 1 0
    Given, ///< ScheduleRequest::givenRanks
};

/// What one microbatch costs at one stage.
struct StageCost
{
    double forwardSeconds = 0;
    double inputBackwardSeconds = 0;
    double weightBackwardSeconds = 0;
    std::int64_t activationBytes = 0; ///< kept from its forward to its backward
};

struct ScheduleRequest
{
    int ranks = 1;
    int stages = 1;
    int microbatches = 1;
    bool trains = false; ///< whether backwards are to be run; without, only the forwards of a schedule that has them
    Placement placement = Placement::Loop;
    std::vector<RankId> givenRanks = {}; ///< by stage, for Placement::Given; else empty
    int groupSize = 0; ///< microbatches that a rank runs of a stage before it turns to its next; 0: the schedule's own
    std::vector<StageCost> costs = {}; ///< by stage; empty: not known
    std::int64_t memoryCap = 0;        ///< bytes of activations that a rank may keep; 0: any, else costs are there
};

/// Whether it makes sense by itself, whoever is asked. Errors (InvalidArgument): counts below one, lists of another
/// length than there are stages, ranks that there are not or that have no stage, costs that are negative or no numbers,
/// more than 4 000 000 forwards; "num_stages 5 must be evenly divisible by pp_size 2 for V schedules".
[[nodiscard]] Status checkRequest(const ScheduleRequest &request);

/// By stage, of a request that makes sense. In a loop with more ranks than stages the last ones have none.
[[nodiscard]] std::vector<RankId> placedRanks(const ScheduleRequest &request);

} // namespace pipescope::schedule

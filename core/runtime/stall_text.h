// Who waits for whom, in words: for the watchdog's report and for the error of a run in which nobody can go on.
#pragma once

#include "base/error.h"
#include "comm/address.h"
#include "comm/wait_registry.h"
#include "runtime/step_plan.h"

#include <chrono>
#include <string>
#include <vector>

namespace pipescope::runtime {

using WaitingRank = comm::Waiting<comm::Address>;

/// What a rank has been doing since when.
struct Activity
{
    enum class Kind { Computing, Waiting, Finished };

    Kind kind = Kind::Waiting;
    std::size_t task = 0;              ///< its place in the rank's row
    std::chrono::nanoseconds lasted{}; ///< so far
};

/// "rank 0 has computed 0F3 for 10.0 s; rank 1 has waited 10.0 s for h (microbatch 3) from stage 0, which rank 0 is
/// computing". `activities` is by rank; finished ranks are left out.
[[nodiscard]] std::string stallText(const StepPlan &plan, const std::vector<WaitingRank> &waiting,
                                    const std::vector<Activity> &activities);

/// Deadlock: every rank of `waiting` waits, all others have finished.
[[nodiscard]] Error deadlockError(const StepPlan &plan, const std::vector<WaitingRank> &waiting);

} // namespace pipescope::runtime

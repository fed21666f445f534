// What is the same in every step of a pipeline: who runs what in which order, and what goes where. Plain values; the
// step itself is step.h.
#pragma once

#include "base/ids.h"
#include "runtime/stage_route.h"
#include "schedule/action_key.h"
#include "schedule/feeds.h"
#include "schedule/schedule.h"

#include <cstddef>
#include <string>
#include <vector>

namespace pipescope::runtime {

/// One forward action of a rank's row.
struct Task
{
    StageId stage;
    MicrobatchId microbatch;
    schedule::ActionKind kind = schedule::ActionKind::Forward;

    friend bool operator==(const Task &, const Task &) = default;
};

[[nodiscard]] schedule::ActionKey keyOf(const Task &task);

struct StepPlan
{
    std::vector<std::string> rankNames;  ///< "rank 0 (cpu:0)"
    std::vector<std::vector<Task>> rows; ///< by rank
    std::vector<RankId> rankOf;          ///< by stage
    std::vector<StageRoute> routes;      ///< by stage
    schedule::Feeds feeds;               ///< which stages feed which, as the routes have it
    int microbatches = 0;
    std::size_t outputs = 0; ///< values the method returns
    int maxInFlight = 0;     ///< microbatches begun and not finished; 0: no limit
    /// The order in which stage 0 begins microbatches (schedule/credit.h).
    std::vector<MicrobatchId> beginOrder;
    std::vector<StageId> followingStages; ///< with a limit they follow stage 0 (schedule/credit.h)

    [[nodiscard]] int stages() const { return static_cast<int>(routes.size()); }
    [[nodiscard]] int ranks() const { return static_cast<int>(rows.size()); }
    [[nodiscard]] std::size_t tasks() const;
};

/// Every cell of the schedule is a forward (schedule::forwardsOf); it is valid (schedule::validateSchedule) for these
/// feeds and has as many stages as there are routes.
[[nodiscard]] StepPlan makeStepPlan(const schedule::Schedule &schedule, schedule::Feeds feeds,
                                    std::vector<StageRoute> routes, std::vector<std::string> rankNames,
                                    std::size_t outputs, int maxInFlight);

} // namespace pipescope::runtime

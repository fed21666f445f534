#include "schedule/kinds/kinds.h"

#include <fmt/format.h>

namespace pipescope::schedule {

Status fitsForward(const ScheduleRequest &request)
{
    const auto refused = [](std::string message) {
        return Error{ErrorCode::InvalidArgument, std::move(message), "forward", {}};
    };
    if (request.stages < request.ranks)
        return refused(fmt::format("a forward schedule needs no more ranks than stages, but got {} ranks, {} stages",
                                   request.ranks, request.stages));
    if (request.groupSize > 0)
        return refused(fmt::format("a forward schedule runs all microbatches of a stage before it turns to the next, "
                                   "not groups of {}",
                                   request.groupSize));
    return Success{};
}

//        time ->
// rank 0  0F0 0F1 0F2
// rank 1      1F0 1F1 1F2
// rank 2          2F0 2F1 2F2
Schedule buildForward(const ScheduleRequest &request)
{
    Schedule schedule{"forward", request.stages, request.microbatches, {}};
    schedule.ranks.resize(static_cast<std::size_t>(request.ranks));
    const std::vector<RankId> rankOf = placedRanks(request);
    for (int stage = 0; stage < request.stages; ++stage)
        for (int microbatch = 0; microbatch < request.microbatches; ++microbatch)
            schedule.ranks[rankOf[static_cast<std::size_t>(stage)].index()].push_back(
                Action{StageId{stage}, ActionKind::Forward, MicrobatchId{microbatch}, {}});
    return schedule;
}

} // namespace pipescope::schedule

#include "schedule/schedule_request.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <string>
#include <utility>

namespace pipescope::schedule {

namespace {

// A schedule has every action; a mistyped count must not fill the memory.
constexpr std::int64_t MostForwards = 4'000'000;

Error badRequest(std::string message)
{
    return {ErrorCode::InvalidArgument, std::move(message), "schedule", {}};
}

Status checkCounts(const ScheduleRequest &request)
{
    if (std::min({request.ranks, request.stages, request.microbatches}) < 1)
        return badRequest(fmt::format(
            "a schedule needs at least one rank, stage and microbatch, but got {} ranks, {} stages, {} microbatches",
            request.ranks, request.stages, request.microbatches));
    if (std::int64_t{request.stages} * request.microbatches > MostForwards)
        return badRequest(
            fmt::format("{} stages and {} microbatches make more than the {} forwards a schedule may have; use fewer "
                        "microbatches",
                        request.stages, request.microbatches, MostForwards));
    if (request.groupSize < 0)
        return badRequest(fmt::format("groups of {} microbatches; give a number above 0, or 0 for the schedule's own",
                                      request.groupSize));
    return Success{};
}

Status checkPlacement(const ScheduleRequest &request)
{
    const bool isGiven = request.placement == Placement::Given;
    if (request.placement == Placement::V && request.stages % request.ranks != 0)
        return badRequest(fmt::format("num_stages {} must be evenly divisible by pp_size {} for V schedules",
                                      request.stages, request.ranks));
    if (request.givenRanks.size() != (isGiven ? static_cast<std::size_t>(request.stages) : 0))
        return badRequest(isGiven ? fmt::format("{} stages need a rank each, but {} ranks are given for them",
                                                request.stages, request.givenRanks.size())
                                  : "ranks are given for the stages, but the placement says where they are");
    std::vector<bool> used(static_cast<std::size_t>(request.ranks));
    for (std::size_t stage = 0; stage < request.givenRanks.size(); ++stage) {
        const RankId rank = request.givenRanks[stage];
        if (!rank.valid() || rank.value >= request.ranks)
            return badRequest(fmt::format("stage {} is given to rank {}, but ranks are 0 to {}", stage, rank.value,
                                          request.ranks - 1));
        used[rank.index()] = true;
    }
    const auto idle = std::find(used.begin(), used.end(), false);
    if (isGiven && idle != used.end())
        return badRequest(fmt::format("rank {} is given no stage", idle - used.begin()));
    return Success{};
}

Status checkCosts(const ScheduleRequest &request)
{
    if (!request.costs.empty() && request.costs.size() != static_cast<std::size_t>(request.stages))
        return badRequest(fmt::format("costs are given for {} stages of {}", request.costs.size(), request.stages));
    for (std::size_t stage = 0; stage < request.costs.size(); ++stage) {
        const StageCost &cost = request.costs[stage];
        for (const double seconds : {cost.forwardSeconds, cost.inputBackwardSeconds, cost.weightBackwardSeconds})
            if (!std::isfinite(seconds) || seconds < 0)
                return badRequest(fmt::format("stage {} costs {} s; costs are 0 or more", stage, seconds));
        if (cost.activationBytes < 0)
            return badRequest(fmt::format("stage {} keeps {} bytes; give 0 or more", stage, cost.activationBytes));
    }
    if (request.memoryCap < 0)
        return badRequest(
            fmt::format("a memory cap of {} bytes; give a number above 0, or 0 for none", request.memoryCap));
    if (request.memoryCap > 0 && request.costs.empty())
        return badRequest("a memory cap says nothing without the bytes that each stage keeps; give the stages' costs");
    return Success{};
}

} // namespace

Status checkRequest(const ScheduleRequest &request)
{
    for (const auto check : {&checkCounts, &checkPlacement, &checkCosts})
        if (Status good = check(request); !good)
            return good;
    return Success{};
}

std::vector<RankId> placedRanks(const ScheduleRequest &request)
{
    if (request.placement == Placement::Given)
        return request.givenRanks;
    std::vector<RankId> ranks;
    for (int stage = 0; stage < request.stages; ++stage) {
        const int turn = stage / request.ranks;
        const int place = stage % request.ranks;
        const bool isBack = request.placement == Placement::V && turn % 2 == 1;
        ranks.push_back(RankId{isBack ? request.ranks - 1 - place : place});
    }
    return ranks;
}

} // namespace pipescope::schedule

#include "runtime/stall_text.h"

#include "base/text.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace pipescope::runtime {

namespace {

const Inlet &inletOf(const StepPlan &plan, const comm::Address &address)
{
    const std::vector<Inlet> &inlets = plan.routes[address.to.index()].inlets;
    const auto found =
        std::find_if(inlets.begin(), inlets.end(), [&](const Inlet &inlet) { return inlet.value == address.value; });
    PIPESCOPE_ASSERT(found != inlets.end());
    return *found;
}

// "h (microbatch 3) from stage 0"; for a permit what has to happen first.
std::string wantedText(const StepPlan &plan, const comm::Address &address)
{
    if (address.value.valid())
        return fmt::format("{} (microbatch {}) from stage {}", inletOf(plan, address).name, address.microbatch.value,
                           address.from.value);
    if (address.to == StageId{0})
        return fmt::format("credit: a microbatch has to finish before it begins microbatch {} (at most {} at once)",
                           address.microbatch.value, plan.maxInFlight);
    return fmt::format("stage 0 to begin microbatch {}", address.microbatch.value);
}

// Which stage, for which microbatch, would end the waiting; an invalid stage where no single one would.
Task suspect(const comm::Address &address)
{
    if (address.value.valid())
        return {address.from, address.microbatch, {}};
    return {address.to == StageId{0} ? StageId{} : StageId{0}, address.microbatch, {}};
}

// ", which rank 0 is computing".
std::string suspectText(const StepPlan &plan, const comm::Address &address, const std::vector<Activity> &activities)
{
    const Task wanted = suspect(address);
    if (!wanted.stage.valid())
        return {};
    const RankId rank = plan.rankOf[wanted.stage.index()];
    const Activity &activity = activities[rank.index()];
    if (activity.kind == Activity::Kind::Computing) {
        const Task &current = plan.rows[rank.index()][activity.task];
        if (current.stage == wanted.stage && current.microbatch == wanted.microbatch)
            return fmt::format(", which rank {} is computing", rank.value);
    }
    return fmt::format(", which rank {} has not come to", rank.value);
}

} // namespace

std::string stallText(const StepPlan &plan, const std::vector<WaitingRank> &waiting,
                      const std::vector<Activity> &activities)
{
    std::vector<std::string> parts;
    for (std::size_t rank = 0; rank < activities.size(); ++rank) {
        const Activity &activity = activities[rank];
        const std::string lasted = formatSeconds(std::chrono::duration<double>(activity.lasted).count());
        const auto wait = std::find_if(waiting.begin(), waiting.end(),
                                       [rank](const WaitingRank &w) { return w.rank.index() == rank; });
        if (wait != waiting.end())
            parts.push_back(fmt::format("rank {} has waited {} for {}{}", rank, lasted, wantedText(plan, wait->awaited),
                                        suspectText(plan, wait->awaited, activities)));
        else if (activity.kind == Activity::Kind::Computing)
            parts.push_back(fmt::format("rank {} has computed {} for {}", rank,
                                        schedule::toText(keyOf(plan.rows[rank][activity.task])), lasted));
    }
    return fmt::format("{}", fmt::join(parts, "; "));
}

Error deadlockError(const StepPlan &plan, const std::vector<WaitingRank> &waiting)
{
    std::vector<std::string> parts;
    for (const WaitingRank &wait : waiting) {
        std::string part =
            fmt::format("{} waits for {}", plan.rankNames[wait.rank.index()], wantedText(plan, wait.awaited));
        if (const Task wanted = suspect(wait.awaited); wanted.stage.valid())
            part += fmt::format(" on rank {}", plan.rankOf[wanted.stage.index()].value);
        parts.push_back(std::move(part));
    }
    return {ErrorCode::Deadlock,
            fmt::format("no rank can go on: {}; give the actions an order in which each comes after what it needs",
                        fmt::join(parts, "; ")),
            plan.rankNames[waiting.front().rank.index()],
            {}};
}

} // namespace pipescope::runtime

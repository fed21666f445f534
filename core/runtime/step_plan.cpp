#include "runtime/step_plan.h"

#include "base/error.h"
#include "schedule/credit.h"

#include <utility>

namespace pipescope::runtime {

namespace {

Task taskOf(const schedule::Cell &cell)
{
    PIPESCOPE_ASSERT(cell && cell->kind == schedule::ActionKind::Forward);
    return {cell->stage, cell->microbatch, cell->kind};
}

} // namespace

schedule::ActionKey keyOf(const Task &task)
{
    return {task.kind, task.stage, task.microbatch};
}

std::size_t StepPlan::tasks() const
{
    std::size_t count = 0;
    for (const std::vector<Task> &row : rows)
        count += row.size();
    return count;
}

StepPlan makeStepPlan(const schedule::Schedule &schedule, schedule::Feeds feeds, std::vector<StageRoute> routes,
                      std::vector<std::string> rankNames, std::size_t outputs, int maxInFlight)
{
    StepPlan plan;
    plan.rankNames = std::move(rankNames);
    plan.rankOf = schedule::rankOfStage(schedule);
    plan.routes = std::move(routes);
    plan.feeds = std::move(feeds);
    plan.microbatches = schedule.microbatches;
    plan.outputs = outputs;
    plan.maxInFlight = maxInFlight < schedule.microbatches ? maxInFlight : 0;
    for (const schedule::Row &cells : schedule.ranks) {
        std::vector<Task> &row = plan.rows.emplace_back();
        for (const schedule::Cell &cell : cells)
            row.push_back(taskOf(cell));
    }
    for (const Task &task : plan.rows[plan.rankOf.front().index()]) {
        if (schedule::beginsMicrobatch(keyOf(task)))
            plan.beginOrder.push_back(task.microbatch);
    }
    plan.followingStages = schedule::stagesThatFollow(plan.stages(), plan.feeds);
    return plan;
}

} // namespace pipescope::runtime

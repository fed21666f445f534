#include "session/next_needs.h"

#include "plan/input_bytes.h"
#include "plan/plan_schedule.h"
#include "schedule/forwards_of.h"
#include "schedule/schedule_table.h"
#include "session/last_run.h"
#include "session/schedule_file.h"
#include "session/staging.h"

#include <cstdint>

namespace pipescope::session {

namespace {

/// What would run; none where that is not known, or long enough to keep the window waiting.
std::optional<schedule::Schedule> forwardsOf(const Document &document)
{
    const plan::Plan &plan = document.plan();
    const std::optional<int> stages = document.stages();
    if (!stages || std::int64_t(*stages) * plan.microbatches > MostCheckedCells)
        return std::nullopt;
    const Result<schedule::Schedule> made = schedule::buildSchedule(
        plan.schedule, plan::scheduleRequest(static_cast<int>(plan.devices.size()), *stages, plan.microbatches));
    return made ? std::optional(schedule::forwardsOf(*made)) : std::nullopt;
}

} // namespace

std::optional<report::RunNeeds> needsOf(const RunController &controller)
{
    const Document &document = controller.document();
    const auto model = document.model();
    if (!model)
        return std::nullopt;
    const plan::Plan &plan = document.plan();
    report::RunWay way;
    way.microbatches = plan.microbatches;
    way.threadsPerRank = plan.threadsPerRank;
    way.maxInFlight = plan.maxInFlight;
    way.grad = plan.grad;
    way.check = controller.settings().check;
    if (model->profiled && !controller.isProfileStale())
        way.profiled = report::Profiled::WholeBatch;
    else
        way.inputBytes = plan::inputBytes(plan.inputs);
    if (const Run last = lastRun(controller, document))
        for (const trace::RankStats &rank : last->stats.ranks)
            way.peakBytes.push_back(rank.peakBytes);
    return report::runNeeds(model->graph, document.staging()->partition, forwardsOf(document), way,
                            controller.machine());
}

} // namespace pipescope::session

#include "engine/place_schedule.h"

#include "base/file.h"
#include "engine/microbatch_order.h"
#include "plan/devices.h"
#include "plan/plan_schedule.h"
#include "plan/stage_feeds.h"
#include "schedule/forwards_of.h"
#include "schedule/schedule_csv.h"
#include "schedule/schedule_table.h"
#include "schedule/validate_schedule.h"

#include <cstdint>
#include <fmt/format.h>

namespace pipescope::engine {

namespace {

constexpr std::uintmax_t LargestScheduleFile = 64 << 20;

Status checkCounts(const schedule::Schedule &schedule, int stages, int microbatches)
{
    if (schedule.stages != stages)
        return Error{ErrorCode::InvalidArgument,
                     fmt::format("the schedule '{}' is for {} stages, but the model is split into {}", schedule.name,
                                 schedule.stages, stages),
                     "schedule",
                     {}};
    if (schedule.microbatches != microbatches)
        return Error{ErrorCode::InvalidArgument,
                     fmt::format("the schedule '{}' is for {} microbatches, but the batch gives {}", schedule.name,
                                 schedule.microbatches, microbatches),
                     "schedule",
                     {}};
    return Success{};
}

/// A fault is told by rank and step: of which file they are has to be said.
Error inFile(Error error, const std::string &path)
{
    error.message = fmt::format("the schedule '{}' cannot be used: {}", path, error.message);
    return error;
}

Result<schedule::Schedule> readSchedule(const std::string &path, const schedule::Feeds &feeds, int microbatches)
{
    Result<std::string> text = readFile(path, LargestScheduleFile);
    if (!text)
        return text.error();
    Result<schedule::Schedule> schedule = schedule::parseCsv(*text, path);
    if (!schedule)
        return inFile(schedule.error(), path);
    if (Status fits = checkCounts(*schedule, feeds.stages(), microbatches); !fits)
        return fits.error();
    if (Status valid = schedule::validateSchedule(*schedule, {.needsBackward = false, .feeds = feeds}); !valid)
        return inFile(valid.error(), path);
    return schedule;
}

} // namespace

Status placeSchedule(PipelineSetup &setup)
{
    plan::Plan &plan = setup.plan;
    const int stages = static_cast<int>(setup.partition.stages.size());
    const int microbatches = static_cast<int>(setup.chunks.args.size());
    Result<schedule::Schedule> schedule =
        plan.schedule.starts_with('@')
            ? readSchedule(plan.schedule.substr(1), plan::feedsOf(setup.partition), microbatches)
            : schedule::buildSchedule(
                  plan.schedule, plan::scheduleRequest(static_cast<int>(plan.devices.size()), stages, microbatches));
    if (!schedule)
        return schedule.error();
    schedule->name = plan.schedule;
    setup.schedule = schedule::forwardsOf(*schedule);
    if (Status ordered = checkMicrobatchOrder(setup.schedule, setup.model); !ordered)
        return plan.schedule.starts_with('@') ? inFile(ordered.error(), plan.schedule.substr(1)) : ordered.error();
    const int needed = static_cast<int>(setup.schedule.ranks.size());
    if (plan.devices.empty())
        plan.devices = plan::cpuDevices(needed);
    if (static_cast<int>(plan.devices.size()) != needed)
        return Error{ErrorCode::InvalidArgument,
                     fmt::format("the schedule '{}' is for {} ranks, but {} devices are given; each rank needs one",
                                 plan.schedule, needed, plan.devices.size()),
                     "devices",
                     {}};
    return Success{};
}

} // namespace pipescope::engine

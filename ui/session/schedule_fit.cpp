#include "session/schedule_fit.h"

#include "schedule/schedule_table.h"
#include "session/document.h"
#include "session/translate.h"

namespace pipescope::session {

namespace {

/// Of one microbatch: the shape is what counts, and rows of a million microbatches take their time.
std::optional<Error> misfit(const schedule::ScheduleEntry &entry, int stages, int ranks, int microbatches)
{
    if (entry.build({ranks, stages, 1}))
        return std::nullopt;
    const Result<schedule::Schedule> told = entry.build({ranks, stages, microbatches}); // in its words, with the count
    return told ? std::nullopt : std::optional(told.error());
}

} // namespace

QString whyNotScheduled(const std::string &schedule, int stages, int devices, int microbatches)
{
    const Result<const schedule::ScheduleEntry *> entry = schedule::findSchedule(schedule);
    if (!entry)
        return {};
    const std::optional<Error> found = misfit(**entry, stages, devices == 0 ? stages : devices, microbatches);
    if (!found)
        return {};
    QString why = QString::fromStdString(found->message);
    why[0] = why[0].toUpper();
    const bool fitsOnePerStage = devices != 0 && !misfit(**entry, stages, stages, microbatches);
    return fitsOnePerStage ? tr("%1. With one device for each stage it can run.").arg(why) : why + '.';
}

QString whyNotScheduled(const Document &document)
{
    const std::optional<int> stages = document.stages();
    const plan::Plan &plan = document.plan();
    return stages ? whyNotScheduled(plan.schedule, *stages, static_cast<int>(plan.devices.size()), plan.microbatches)
                  : QString();
}

} // namespace pipescope::session

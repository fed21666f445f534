#include "session/schedule_fit.h"

#include "plan/plan_schedule.h"
#include "schedule/schedule_table.h"
#include "session/document.h"
#include "session/translate.h"

namespace pipescope::session {

QString whyNotScheduled(const std::string &schedule, int stages, int devices, int microbatches)
{
    const Result<const schedule::ScheduleEntry *> entry = schedule::findSchedule(schedule);
    if (!entry)
        return {};
    const Status fit = (*entry)->fits(plan::scheduleRequest(devices, stages, microbatches));
    if (fit)
        return {};
    QString why = QString::fromStdString(fit.error().message);
    why[0] = why[0].toUpper();
    const bool fitsOnePerStage = devices != 0 && (*entry)->fits(plan::scheduleRequest(0, stages, microbatches));
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

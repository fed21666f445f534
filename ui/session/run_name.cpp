#include "session/run_name.h"

#include "schedule/forwards_of.h"
#include "schedule/schedule_table.h"
#include "session/file_kind.h"
#include "session/translate.h"

#include <algorithm>
#include <string>

namespace pipescope::session {

namespace {

QString scheduleTitle(const std::string &key)
{
    if (key.starts_with('@'))
        return fileName(key.substr(1));
    const auto entry = schedule::findSchedule(key);
    return entry ? QString::fromUtf8((*entry)->title.data(), static_cast<qsizetype>((*entry)->title.size()))
                 : QString::fromStdString(key);
}

QString scheduleOf(const report::RunReport &run)
{
    const std::string &planned = run.plan.schedule;
    return run.schedule == schedule::forwardsName(planned) ? tr("forwards of %1").arg(scheduleTitle(planned))
                                                           : scheduleTitle(planned);
}

} // namespace

QString RunName::whole() const
{
    return (name + ' ' + detail).trimmed();
}

RunName runName(const RunController &controller, const report::TracedRun *run)
{
    const std::vector<Run> &runs = controller.runs();
    const auto found = std::find_if(runs.begin(), runs.end(), [run](const Run &one) { return one.get() == run; });
    if (found == runs.end())
        return {};
    return {tr("Run %1").arg(found - runs.begin() + 1),
            tr("%1 ×%2").arg(scheduleOf(*run), QString::number(run->trace.microbatches))};
}

} // namespace pipescope::session

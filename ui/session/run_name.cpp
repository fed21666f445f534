#include "session/run_name.h"

#include "schedule/schedule_table.h"
#include "session/file_kind.h"
#include "session/translate.h"

#include <algorithm>
#include <string>

namespace pipescope::session {

namespace {

QString scheduleOf(const std::string &key)
{
    if (key.starts_with('@'))
        return fileName(key.substr(1));
    const auto entry = schedule::findSchedule(key);
    return entry ? QString::fromUtf8((*entry)->title.data(), static_cast<qsizetype>((*entry)->title.size()))
                 : QString::fromStdString(key);
}

} // namespace

QString RunName::whole() const
{
    return (name + ' ' + detail).trimmed();
}

RunName runName(const RunController &controller, const report::RunReport *run)
{
    const std::vector<Run> &runs = controller.runs();
    const auto found = std::find_if(runs.begin(), runs.end(), [run](const Run &one) { return one.get() == run; });
    if (found == runs.end())
        return {};
    return {tr("Run %1").arg(found - runs.begin() + 1),
            tr("%1 ×%2").arg(scheduleOf(run->plan.schedule), QString::number(run->trace.microbatches))};
}

} // namespace pipescope::session

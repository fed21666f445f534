#include "schedule/schedule_table.h"

#include "base/text.h"
#include "schedule/kinds/kinds.h"
#include "schedule/validate_schedule.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <fmt/format.h>

namespace pipescope::schedule {

namespace {

constexpr std::array Table{
    ScheduleEntry{"forward", "Forward only", "microbatches in order, no backward", false, &fitsForward, &buildForward},
    ScheduleEntry{"gpipe", "GPipe", "all forwards, then all backwards", true, &fitsGpipe, &buildGpipe},
};

bool sameName(std::string_view a, std::string_view b)
{
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [](unsigned char x, unsigned char y) { return std::tolower(x) == std::tolower(y); });
}

} // namespace

std::span<const ScheduleEntry> scheduleTable()
{
    return Table;
}

std::string scheduleKeys(std::string_view quote)
{
    std::string list;
    for (const ScheduleEntry &entry : Table)
        list += fmt::format("{}{}{}{}", list.empty() ? "" : ", ", quote, entry.key, quote);
    return list;
}

Result<const ScheduleEntry *> findSchedule(std::string_view name)
{
    std::vector<std::string> names;
    for (const ScheduleEntry &entry : Table) {
        if (sameName(entry.key, name))
            return &entry;
        names.emplace_back(entry.key);
    }
    return Error{ErrorCode::NotFound,
                 fmt::format("Unknown schedule name '{}'. The valid options are [{}].{}", name, scheduleKeys("'"),
                             didYouMean(name, names)),
                 std::string(name),
                 {}};
}

Status ScheduleEntry::fits(const ScheduleRequest &request) const
{
    if (Status good = checkRequest(request); !good)
        return good;
    if (request.trains && !trains)
        return Error{ErrorCode::InvalidArgument,
                     fmt::format("{} has no backward; training needs a schedule that has", title),
                     std::string(key),
                     {}};
    return checkFit(request);
}

Result<Schedule> ScheduleEntry::build(const ScheduleRequest &request) const
{
    if (Status fit = fits(request); !fit)
        return fit.error();
    Schedule schedule = makeUnchecked(request);
    if (Status valid = validateSchedule(schedule, {.needsBackward = trains}); !valid)
        return valid.error();
    return schedule;
}

Result<Schedule> buildSchedule(std::string_view name, const ScheduleRequest &request)
{
    const auto entry = findSchedule(name);
    return entry ? (*entry)->build(request) : entry.error();
}

} // namespace pipescope::schedule

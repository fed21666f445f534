#include "schedule/schedule_table.h"

#include "base/text.h"
#include "schedule/validate_schedule.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdint>
#include <fmt/format.h>

namespace pipescope::schedule {

namespace {

constexpr std::array Table{
    ScheduleEntry{"forward", "Forward only", "microbatches in order, no backward", false, &buildForward},
    ScheduleEntry{"gpipe", "GPipe", "all forwards, then all backwards", true, &buildGpipe},
};

bool sameName(std::string_view a, std::string_view b)
{
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [](unsigned char x, unsigned char y) { return std::tolower(x) == std::tolower(y); });
}

// A build function makes every action; a mistyped count must not fill the memory.
constexpr std::int64_t MostForwards = 4'000'000;

bool servesForward(ActionKind kind)
{
    switch (kind) {
    case ActionKind::Forward:
    case ActionKind::SendF:
    case ActionKind::RecvF:
    case ActionKind::WaitSendF:
    case ActionKind::Unshard:
    case ActionKind::Reshard:
        return true;
    default:
        return false;
    }
}

} // namespace

std::span<const ScheduleEntry> scheduleTable()
{
    return Table;
}

Result<const ScheduleEntry *> findSchedule(std::string_view name)
{
    std::string list;
    std::vector<std::string> names;
    for (const ScheduleEntry &entry : Table) {
        if (sameName(entry.key, name))
            return &entry;
        list += fmt::format("{}'{}'", list.empty() ? "" : ", ", entry.key);
        names.emplace_back(entry.key);
    }
    return Error{
        ErrorCode::NotFound,
        fmt::format("Unknown schedule name '{}'. The valid options are [{}].{}", name, list, didYouMean(name, names)),
        std::string(name),
        {}};
}

Result<Schedule> buildSchedule(std::string_view name, const Shape &shape)
{
    const auto entry = findSchedule(name);
    if (!entry)
        return entry.error();
    if (std::int64_t{shape.stages} * shape.microbatches > MostForwards)
        return Error{
            ErrorCode::InvalidArgument,
            fmt::format("{} stages and {} microbatches make more than the {} forwards a schedule may have; use "
                        "fewer microbatches",
                        shape.stages, shape.microbatches, MostForwards),
            std::string((*entry)->key),
            {}};
    auto schedule = (*entry)->build(shape);
    if (!schedule)
        return schedule;
    ValidateOptions options;
    options.needsBackward = (*entry)->trains;
    if (Status valid = validateSchedule(*schedule, options); !valid)
        return valid.error();
    return schedule;
}

Schedule forwardPart(const Schedule &schedule)
{
    Schedule forward{schedule.name, schedule.stages, schedule.microbatches, {}};
    for (const Row &row : schedule.ranks) {
        Row &kept = forward.ranks.emplace_back();
        for (const Cell &cell : row)
            if (cell)
                for (const Action &action : partsOf(*cell))
                    if (servesForward(action.kind))
                        kept.emplace_back(action);
    }
    return forward;
}

} // namespace pipescope::schedule

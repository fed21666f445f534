// Every schedule there is. To add one: write kinds/<name>.cpp, declare its two functions in kinds/kinds.h, add a row in
// schedule_table.cpp and a test tests/core/schedule/tst_<name>.cpp. The command line, plan files and the window read
// this table.
#pragma once

#include "schedule/schedule.h"
#include "schedule/schedule_request.h"

#include <span>
#include <string>
#include <string_view>

namespace pipescope::schedule {

struct ScheduleEntry
{
    std::string_view key;   ///< what users write; matched case-insensitively
    std::string_view title; ///< as the literature has it
    std::string_view summary;
    bool trains = false;                                ///< has backward actions
    Status (*checkFit)(const ScheduleRequest &);        ///< of a request that makes sense by itself; ask fits()
    Schedule (*makeUnchecked)(const ScheduleRequest &); ///< of a request that fits; ask build()

    /// Whether there is such a schedule for the request. Error: InvalidArgument, checkRequest's or why not, with
    /// upstream's words where it has a constraint.
    [[nodiscard]] Status fits(const ScheduleRequest &request) const;
    /// Makes it, and validates what was made. Error: as fits().
    [[nodiscard]] Result<Schedule> build(const ScheduleRequest &request) const;
};

[[nodiscard]] std::span<const ScheduleEntry> scheduleTable();

/// The keys of all rows, each between `quote` and with a comma and a blank after each but the last.
[[nodiscard]] std::string scheduleKeys(std::string_view quote = {});

/// The row of that name (case-insensitive). Error: NotFound "Unknown schedule name 'foo'. The valid options are [...]".
Result<const ScheduleEntry *> findSchedule(std::string_view name);

/// Finds and builds. Errors: findSchedule's, build's.
Result<Schedule> buildSchedule(std::string_view name, const ScheduleRequest &request);

} // namespace pipescope::schedule

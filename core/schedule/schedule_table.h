// Every schedule there is. To add one: write kinds/<name>.cpp, declare its build function here, add a row in
// schedule_table.cpp and a test tests/core/schedule/tst_<name>.cpp. The command line, plan files and docs read this
// table.
#pragma once

#include "schedule/schedule.h"

#include <span>
#include <string_view>

namespace pipescope::schedule {

struct ScheduleEntry
{
    std::string_view key;   ///< what users write; matched case-insensitively
    std::string_view title; ///< as the literature has it
    std::string_view summary;
    bool trains = false; ///< has backward actions
    Result<Schedule> (*build)(const Shape &);
};

[[nodiscard]] std::span<const ScheduleEntry> scheduleTable();

/// The row of that name (case-insensitive). Error: NotFound "Unknown schedule name 'foo'. The valid options are [...]".
Result<const ScheduleEntry *> findSchedule(std::string_view name);

/// Finds, builds, and validates what was built. Errors: findSchedule's, the build function's for a shape it has no
/// schedule for (InvalidArgument), and InvalidArgument for more than 4 000 000 forwards.
Result<Schedule> buildSchedule(std::string_view name, const Shape &shape);

/// F0..F(M-1) on every rank; no backward. Stage s runs on rank s mod ranks; a rank with several stages runs them
/// breadth first (all microbatches of its first stage, then of its next), which fills and drains the pipeline soonest.
Result<Schedule> buildForward(const Shape &shape);
/// All forwards, then all backwards in the same microbatch order, as torch's ScheduleGPipe. One stage per rank.
Result<Schedule> buildGpipe(const Shape &shape);

/// What a forward run does of it: without backwards, reductions, backward transfers and idle steps, and with the
/// forward part of a compound in its place.
[[nodiscard]] Schedule forwardPart(const Schedule &schedule);

} // namespace pipescope::schedule

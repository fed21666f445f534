// Schedules as torch.distributed.pipelining's CSV: a line per rank, a cell per step, empty = idle.
#pragma once

#include "schedule/schedule.h"

#include <optional>
#include <string>
#include <string_view>

namespace pipescope::schedule {

/// Lines end in CR LF, as upstream writes them.
[[nodiscard]] std::string toCsv(const Schedule &schedule);

/// Reads it strictly (blanks around cells, LF or CR LF, trailing blank lines are fine). Stage and microbatch counts are
/// what the cells name; at most `limitCells` cells, and numbers below it. Whether it can run is validateSchedule's
/// question. Error: InvalidFile naming line and cell: "rank 1, step 3: Invalid action ...".
Result<Schedule> parseCsv(std::string_view text, std::string name, std::size_t limitCells = 4'000'000);

/// A cell of a schedule, for pointing at it.
struct Place
{
    RankId rank;
    int step = 0;
};

/// The grid upstream prints: a row per step ("Step 00:"), a column per rank; the row of `error` ends in " <-- ERROR
/// HERE". Of a large schedule only the steps and ranks around `error` are shown (around its beginning without one), and
/// a last line says so.
[[nodiscard]] std::string toGrid(const Schedule &schedule, std::optional<Place> error = {});

} // namespace pipescope::schedule

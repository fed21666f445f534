// Schedules as torch.distributed.pipelining's CSV: a line per rank, a cell per step, empty = idle.
#pragma once

#include "schedule/schedule.h"

#include <filesystem>
#include <string>
#include <string_view>

namespace pipescope::schedule {

/// Lines end in CR LF, as upstream writes them.
[[nodiscard]] std::string toCsv(const Schedule &schedule);

/// Reads it strictly (blanks around cells, LF or CR LF, trailing blank lines are fine). Stage and microbatch counts are what
/// the cells name; at most `limitCells` cells. Error: InvalidFile naming line and cell: "rank 1, step 3: Invalid action ...".
Result<Schedule> parseCsv(std::string_view text, std::string name, std::size_t limitCells = 4'000'000);

/// The grid upstream prints: a row per step, a column per rank, "Step 00:"; `errorStep` gets " <-- ERROR HERE".
[[nodiscard]] std::string toGrid(const Schedule &schedule, int errorStep = -1);

} // namespace pipescope::schedule

// A schedule: for every rank the actions it runs, in order. Torch-free, graph-free: only counts.
#pragma once

#include "schedule/action.h"

#include <optional>
#include <string>
#include <vector>

namespace pipescope::schedule {

/// A row per rank, a cell per step; an empty cell is an idle step (for drawing; the runtime skips it).
using Cell = std::optional<Action>;
using Row = std::vector<Cell>;

struct Schedule
{
    std::string name; ///< the table's key, or the file it was read from
    int stages = 0;
    int microbatches = 0;
    std::vector<Row> ranks;

    friend bool operator==(const Schedule &, const Schedule &) = default;
};

/// The rank that runs each stage: the first one whose row computes it; by stage. Invalid where none does.
[[nodiscard]] std::vector<RankId> rankOfStage(const Schedule &schedule);

} // namespace pipescope::schedule

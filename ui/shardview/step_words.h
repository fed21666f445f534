// What is said of a redistribution and of its steps.
#pragma once

#include "shard/redistribution.h"

#include <QString>
#include <cstdint>

namespace pipescope::shardview {

/// "all-gather", "local chunk", "nothing": as a person says it.
[[nodiscard]] QString collectiveText(shard::Collective collective);
/// "all-gather over tp"; "local chunk over tp".
[[nodiscard]] QString stepText(const shard::Step &step);
/// Of the cost model, with a unit; "no time" of none.
[[nodiscard]] QString costText(double microseconds);
/// Bytes that a rank gives in the step, the one that gives most; 0 where no data moves.
[[nodiscard]] std::int64_t givenBytes(const shard::Step &step);
/// "2 collectives, a rank gives 3.1 MiB, 41.8 µs"; "no collective" where no data moves.
[[nodiscard]] QString totalText(const shard::Redistribution &plan);

} // namespace pipescope::shardview

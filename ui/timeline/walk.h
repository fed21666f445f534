// Where the keys lead from one slice: along a lane, to the neighbouring lanes, to what it waited for and what waited
// for it.
#pragma once

#include "timeline/lane_model.h"

#include <optional>

namespace pipescope::timeline {

enum class Step {
    Next, ///< on the lane, computes and transfers
    Previous,
    Up, ///< the compute nearest in time on the next lane above that has any
    Down,
    Cause,  ///< the last of those it waited for: what it needed, or what gave it credit
    Effect, ///< the first of those that waited for it
};

/// nullopt where there is nothing that way. From a bubble: the slice beside it, what its rank waited for, the compute
/// that waited.
[[nodiscard]] std::optional<Spot> walked(const LaneModel &model, Spot from, Step step);

/// Where walking begins: the first compute of the first lane that has one.
[[nodiscard]] std::optional<Spot> firstSpot(const LaneModel &model);

/// The nearest begin or end of a slice of any lane after a time, or before it where `direction` is negative; the run's
/// end or begin where there is none.
[[nodiscard]] double nextEdge(const LaneModel &model, std::int64_t ns, int direction);

[[nodiscard]] trace::TimeRange timeOf(const LaneModel &model, Spot spot);

} // namespace pipescope::timeline

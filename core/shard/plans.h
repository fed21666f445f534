// The planners behind planRedistribution(): each finds a plan from one state to another. None of them looks at
// elements; all but planGreedy() change cuts so that every state on the way is what its layout says.
#pragma once

#include "shard/plan_space.h"

#include <optional>
#include <span>

namespace pipescope::shard {

/// Upstream's walk (generate_greedy_transform_infos, 2.15): from the right, then from the left, each mesh dimension
/// straight to its target, by way of Replicate where cuts of the same tensor dimension to its left differ. A strided
/// shard goes through Replicate in two moves. Cuts come from the left in both states.
[[nodiscard]] Plan planGreedy(const PlanSpace &space, const PlanState &from, const PlanState &to);
/// Whether the walk ends at `to`, undoes no cut under another one, and gathers by the right size. Upstream gathers
/// strided shards and what they cut on by a wrong size; plain cuts are always right.
[[nodiscard]] bool greedyIsRight(const PlanSpace &space, const Plan &plan, const PlanState &to);

/// Upstream's search (find_min_cost_path, 2.15): the least cost over moves of one mesh dimension between plain cuts in
/// any order; among equals the first in upstream's order. nullopt where it would look at too many states.
[[nodiscard]] std::optional<Plan> planSearch(PlanSpace &space, const PlanState &from, const PlanState &to);

/// The plan that is always there: cuts are undone until those that stay are left, then the target's are made. Right for
/// all cuts; its length grows with the mesh's dimensions only.
[[nodiscard]] Plan planDirect(PlanSpace &space, const PlanState &from, const PlanState &to);

/// The least time over all moves, those over several mesh dimensions at once included, from any of the states `from`,
/// which are one layout written differently, to any of `to`. A Replicate becomes a Partial only where it is one in
/// `from` and that Partial in `to`.
[[nodiscard]] Plan planCheapest(PlanSpace &space, std::span<const PlanState> from, std::span<const PlanState> to);

/// Upstream's _optimize_transform_infos (2.15): neighbouring moves of one kind become one over a flattening of the mesh
/// that has exactly their dimensions. All-gathers are left alone where uneven shards would come out wrong, which
/// upstream does not look at; the plan's note then says so. Adds upstream's warnings.
void mergeByFlattenings(Plan &plan, const PlanSpace &space, const Layout &from, const Layout &to);

} // namespace pipescope::shard

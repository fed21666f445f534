// One step of a redistribution, on the local tensor of a rank.
#pragma once

#include "dtensor/spmd.h"
#include "shard/redistribution.h"

namespace pipescope::dtensor {

/// The local tensor after the step. `self` is in the mesh, and `local` is its part of step.before. Errors: those of
/// Collectives::run, LibTorch's.
Result<at::Tensor> doStep(const RankContext &self, const shard::Step &step, const at::Tensor &local);

/// A rank's share of a Partial, of what all ranks along a mesh dimension hold alike: of a sum value / ranks, of
/// integers the value at coordinate 0 and zeros elsewhere; of a p-norm value / ranks^(1/p); else the value. `partial`
/// is no product. May throw as LibTorch does.
[[nodiscard]] at::Tensor shareOf(const at::Tensor &value, const shard::Placement &partial, int coordinate, int ranks);

} // namespace pipescope::dtensor

// A tensor over a mesh as one of its ranks sees it: PyTorch's DTensor (torch.distributed.tensor, 2.15), forward only.
// Every function here is called by all ranks of the mesh, each with its own part, as a collective is; a rank outside
// the mesh may call it too, takes no part and gets an empty local tensor. Nothing is padded: uneven and empty shards
// have their true sizes.
#pragma once

#include "dtensor/spmd.h"
#include "shard/redistribution.h"

namespace pipescope::dtensor {

struct DTensor
{
    shard::Layout layout;
    at::Tensor local; ///< of this rank; no elements outside the mesh
};

/// Upstream's distribute_tensor(tensor, mesh, placements, src_data_rank=): cuts, copies or shares out `tensor`, of
/// which the values of one rank count: the one whose coordinate along each mesh dimension is `source`. Mesh dimensions
/// are handled from the left, a scatter for each that cuts and a broadcast for each that does not. Without a source
/// nothing moves, and each rank takes its part of its own tensor, which must be the same everywhere. All Replicate
/// where `placements` is empty. The tensor itself is left as it is (upstream overwrites it by the source's values where
/// it is replicated), but a replicated one without a source shares its memory. The result is a leaf with the tensor's
/// requires_grad. A Partial(sum) of integers has the values at coordinate 0 and zeros elsewhere (upstream divides them
/// and so changes the dtype). Errors in upstream's words: "`distribute_tensor` should be used to distribute leaf
/// tensors! but found non-leaf tensor!"; those of Layout::make; "Replicate to Partial(product) conversion is not
/// supported."; InvalidArgument for a source that a mesh dimension has not; and those of Collectives::run.
Result<DTensor> distributeTensor(const RankContext &self, const at::Tensor &tensor, const shard::DeviceMesh &mesh,
                                 shard::Placements placements = {}, std::optional<int> source = 0);

/// Upstream's DTensor.from_local(local, mesh, placements, shape=): each rank's tensor is its part. Shares its memory.
/// The global shape is what the parts make up, unless it is given; either way it is checked against all of them, for
/// which one all-gather of a few numbers is made (upstream multiplies the rank's own sizes, and takes anything). The
/// global stride is that of contiguous memory. A rank outside the mesh cannot know the shape: its layout has its own
/// tensor's sizes, unless the shape is given.
/// Errors: as of Layout::make, "Sharding dim 2 greater than tensor ndim 1 for placement number 0"; InvalidArgument,
/// "Inconsistent tensor metadata (including shape and stride) across ranks." where dtypes, numbers of dimensions or
/// given shapes differ; "Non-sharded dimensions should have identical size across ranks."; sizes that are not those
/// that torch.chunk gives, "expected 4,4,4,2 on dim 1, got 2,3,4,5". All ranks get the same one.
Result<DTensor> fromLocal(const RankContext &self, const at::Tensor &local, const shard::DeviceMesh &mesh,
                          shard::Placements placements = {}, std::optional<shard::Sizes> shape = {});

/// How a redistribution goes.
struct RedistributeOptions
{
    shard::Planner planner = shard::Planner::Upstream;
    shard::CostModel costs;
    shard::AskedBy askedBy = shard::AskedBy::User;
};

/// Upstream's redistribute(placements=), out of place: carries out the steps of planRedistribution. The same placements
/// give the same local tensor. Errors: "placements is needed for redistribute!" where there are none; those of
/// Layout::make and planRedistribution; and those of Collectives::run.
Result<DTensor> redistribute(const RankContext &self, const DTensor &tensor, shard::Placements placements,
                             const RedistributeOptions &options = {});
/// The same to any layout of the tensor's mesh, shape and dtype: one whose cuts come in another order, too.
Result<DTensor> redistribute(const RankContext &self, const DTensor &tensor, const shard::Layout &to,
                             const RedistributeOptions &options = {});

/// Upstream's full_tensor(): the whole tensor, on every rank of the mesh.
Result<at::Tensor> fullTensor(const RankContext &self, const DTensor &tensor, const RedistributeOptions &options = {});

} // namespace pipescope::dtensor

// A collective that a rank asks for: the tensor that it brings, and what shall be done with it. Each function makes the
// request of one kind. Dimensions may be negative, as in PyTorch. `pieces` are the sizes along the dimension that is
// cut, one per rank in the order of the line; without them they are those of torch.chunk: the size divided and rounded
// up, later ranks may get less or nothing. All sizes are true ones: nothing is padded.
#pragma once

#include "comm/line.h"
#include "dtensor/collective_call.h"
#include "dtensor/route.h"

#include <ATen/core/Tensor.h>

namespace pipescope::dtensor {

struct CollectiveRequest
{
    CollectiveKind kind = CollectiveKind::Barrier;
    at::Tensor tensor;
    std::optional<shard::ReduceOp> op;
    std::optional<std::int64_t> cutDim;
    std::optional<std::int64_t> joinDim;
    std::optional<shard::Sizes> pieces;
    RankId root;
    /// Where pieces are not cut and joined along one dimension: what this rank takes from which part of the others. Of
    /// all_gather, all_to_all, reduce_scatter and scatter; cutDim, joinDim and pieces then say nothing.
    std::optional<Route> route;
    std::string meshDims; ///< the mesh dimensions that the line runs along, as events shall name them; may be empty
};

/// The tensors of all ranks, one after another along `dim`, along which their sizes may differ.
[[nodiscard]] CollectiveRequest allGather(at::Tensor tensor, std::int64_t dim);

/// The elementwise reduction of all ranks' tensors, in the order of the line: ((x0 + x1) + x2) + ..., in the tensor's
/// own type, whatever the timing; all ranks get the same bits. An average is the sum divided by the number of ranks.
/// NaN stays NaN in max and min, as in torch.maximum (upstream's gloo drops it: max(NaN, 1) is 1 there).
[[nodiscard]] CollectiveRequest allReduce(at::Tensor tensor, shard::ReduceOp op);

/// A rank's piece of what allReduce() gives.
[[nodiscard]] CollectiveRequest reduceScatter(at::Tensor tensor, std::int64_t dim, shard::ReduceOp op,
                                              std::optional<shard::Sizes> pieces = {});

/// A rank's piece along `cutDim` of every rank's tensor, joined along `joinDim`: shards of joinDim become shards of
/// cutDim. Upstream's shard_dim_alltoall, which on gloo gathers all and keeps a chunk.
[[nodiscard]] CollectiveRequest allToAll(at::Tensor tensor, std::int64_t joinDim, std::int64_t cutDim,
                                         std::optional<shard::Sizes> pieces = {});

/// The tensor of `root`. All ranks bring one of the same sizes and dtype; those of the others are left as they are
/// (upstream overwrites them).
[[nodiscard]] CollectiveRequest broadcast(at::Tensor tensor, RankId root);

/// A rank's piece of the tensor of `root`; the others bring one of the same sizes and dtype.
[[nodiscard]] CollectiveRequest scatter(at::Tensor tensor, std::int64_t dim, RankId root,
                                        std::optional<shard::Sizes> pieces = {});

/// Waits for all ranks of the line; there is no result.
[[nodiscard]] CollectiveRequest barrier();

/// The sizes of torch.chunk: `size` in as many pieces as there are ranks.
[[nodiscard]] shard::Sizes chunkSizes(std::int64_t size, std::size_t ranks);

/// What the request is, spelled out, on a line that is sound. Errors: InvalidArgument for no tensor, a dimension that
/// it does not have, pieces that are not one per rank or do not make up the size, a root outside the line; Unsupported
/// for a tensor that is not dense or not on the CPU (one on meta is fine), an average of integers or bools, a maximum
/// or minimum of complex numbers.
Result<CollectiveCall> checkRequest(const CollectiveRequest &request, const comm::Line &line);

} // namespace pipescope::dtensor

// Which elements go from which rank to which, where pieces are not simply cut and joined along one dimension: blocks of
// runs, worked out from two layouts of one tensor.
#pragma once

#include "comm/line.h"
#include "shard/layout.h"

#include <ATen/core/Tensor.h>
#include <optional>
#include <string>
#include <vector>

namespace pipescope::dtensor {

/// Neighbouring elements along a dimension, from a place in the giver's tensor to one in the taker's.
struct Run
{
    std::int64_t from = 0;
    std::int64_t to = 0;
    std::int64_t size = 0;

    friend bool operator==(const Run &, const Run &) = default;
};

/// Runs by dimension, ascending: every combination of them goes over.
using Block = std::vector<std::vector<Run>>;

/// What one rank of a line takes from the others.
struct Route
{
    shard::Sizes sizes;                     ///< of the result
    std::vector<std::optional<Block>> from; ///< by the giver's place in the line; none of one that is not read
    std::string text;                       ///< what goes where, the same on all ranks of the line
};

/// The elements that `giver` holds under `before` and `taker` under `after`, two layouts of one tensor on one mesh.
[[nodiscard]] Block blockBetween(const shard::Layout &before, const shard::Coordinate &giver,
                                 const shard::Layout &after, const shard::Coordinate &taker);

/// What a rank takes where the ranks of its line hold the tensor as `before` says and shall hold it as `after` says.
/// All ranks are in the mesh.
[[nodiscard]] Route routeOf(const shard::Layout &before, const shard::Layout &after, const comm::Line &line,
                            RankId self);

/// Copies a block. Throws as LibTorch does, also where the block does not fit the tensors.
void copyBlock(const at::Tensor &to, const at::Tensor &from, const Block &block);

/// The block of the giver's tensor that becomes all of a tensor of these sizes: a view where it is one run along each
/// dimension, else a copy.
[[nodiscard]] at::Tensor takeBlock(const at::Tensor &from, const Block &block, const shard::Sizes &sizes);

/// Copies all elements; by memcpy where both tensors are contiguous: with long ones it does not read what it
/// overwrites, as LibTorch's own copy does.
void copyInto(const at::Tensor &to, const at::Tensor &from);

} // namespace pipescope::dtensor

// A collective as a rank calls it, without the data: all that the ranks of a line must agree on, and its words.
#pragma once

#include "shard/layout.h"
#include "shard/placement.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace pipescope::dtensor {

enum class CollectiveKind : std::uint8_t { AllGather, AllReduce, ReduceScatter, AllToAll, Broadcast, Scatter, Barrier };

/// "all_gather", "all_reduce", "reduce_scatter", "all_to_all", "broadcast", "scatter", "barrier".
[[nodiscard]] std::string_view kindName(CollectiveKind kind);

struct CollectiveCall
{
    CollectiveKind kind = CollectiveKind::Barrier;
    std::optional<shard::ReduceOp> op; ///< of those that reduce
    std::string dtype;                 ///< torch's name
    std::string device;                ///< "cpu", "meta"
    shard::Sizes sizes;                ///< of this rank's tensor
    std::optional<int> cutDim;         ///< dimension that is cut, a piece for each rank
    std::optional<int> joinDim;        ///< dimension along which the ranks' tensors are joined: they may differ in it
    shard::Sizes pieces;               ///< sizes along cutDim, in the order of the line
    RankId root;                       ///< of those that have one
    std::size_t rootPlace = 0;         ///< its place in the line

    std::string route; ///< text of what goes where; empty where it is cut and joined along dimensions

    /// Whether two ranks call the same: all but the size along joinDim is equal, all sizes aside where there is a
    /// route.
    friend bool operator==(const CollectiveCall &a, const CollectiveCall &b);
};

/// "all_reduce(sum) of float32[4, 4]", "all_to_all of int64[3, 8] from dimension 0 to dimension 1 in pieces of 4, 4",
/// "broadcast of bool[2] from rank 0", "barrier".
[[nodiscard]] std::string text(const CollectiveCall &call);

} // namespace pipescope::dtensor

// Strongly typed indices. A stage is never a rank by accident: each kind of id is its own type, ordered and hashable.
#pragma once

#include <compare>
#include <cstddef>
#include <functional>

namespace pipescope {

/// Index of one kind of thing; negative means "none".
template <class Tag>
struct Id
{
    int value = -1;

    [[nodiscard]] constexpr bool valid() const { return value >= 0; }
    [[nodiscard]] constexpr std::size_t index() const { return static_cast<std::size_t>(value); }
    friend constexpr auto operator<=>(Id, Id) = default;
};

using NodeId = Id<struct NodeTag>;             ///< a node of a ModelGraph, nested ones included
using ValueId = Id<struct ValueTag>;           ///< a value of a ModelGraph
using StageId = Id<struct StageTag>;           ///< a pipeline stage, 0-based in program order
using MicrobatchId = Id<struct MicrobatchTag>; ///< a microbatch, 0-based in batch order
using RankId = Id<struct RankTag>;             ///< a rank: one worker on one device, running one or more stages

} // namespace pipescope

template <class Tag>
struct std::hash<pipescope::Id<Tag>>
{
    std::size_t operator()(pipescope::Id<Tag> id) const noexcept { return std::hash<int>{}(id.value); }
};

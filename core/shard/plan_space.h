// Layouts of one mesh and one tensor as a search sees them: a few bytes, equal where the layouts are written alike, and
// the elementary changes that a plan is made of.
#pragma once

#include "shard/cost_model.h"
#include "shard/layout.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pipescope::shard {

/// A placement's number in a PlanSpace; 0 is Replicate.
using Kind = std::uint8_t;

/// What each mesh dimension does, and for a cut, how many cuts of the same tensor dimension come before it.
struct PlanState
{
    std::array<Kind, DeviceMesh::MaxDims> kind{};
    std::array<std::uint8_t, DeviceMesh::MaxDims> place{};

    friend bool operator==(const PlanState &, const PlanState &) = default;
};

constexpr std::size_t slot(int meshDim)
{
    return static_cast<std::size_t>(meshDim);
}
constexpr Kind kindAt(const PlanState &state, int meshDim)
{
    return state.kind[slot(meshDim)];
}

struct PlanStateHash
{
    std::size_t operator()(const PlanState &state) const
    {
        return std::hash<std::string_view>{}({reinterpret_cast<const char *>(&state), sizeof state});
    }
};
static_assert(sizeof(PlanState) == std::size_t{2} * DeviceMesh::MaxDims, "the hash reads all bytes");

/// One step of a plan: a collective over lines along these mesh dimensions.
struct Move
{
    DimSet dims = 0;
    Collective collective = Collective::None;
    PlanState after;
};

struct Plan
{
    PlanState start;
    std::vector<Move> moves;
    std::string note;                  ///< as Redistribution has it
    std::vector<std::string> warnings; ///< as Redistribution has them

    [[nodiscard]] const PlanState &end() const { return moves.empty() ? start : moves.back().after; }
};

class PlanSpace
{
public:
    /// `like` gives mesh, shape, stride and dtype of all layouts of the space.
    PlanSpace(const Layout &like, const CostModel &costs);

    [[nodiscard]] int meshDims() const { return m_like.mesh().ndim(); }
    [[nodiscard]] int tensorDims() const { return m_like.ndim(); }
    [[nodiscard]] int ranks(int meshDim) const { return m_like.mesh().size(meshDim); }
    /// The mesh dimensions of several ranks.
    [[nodiscard]] std::vector<int> longDims() const;
    [[nodiscard]] const LinkCosts &links() const { return m_links; }

    /// The number of a placement, a new one where it has none yet.
    Kind kind(const Placement &placement);
    [[nodiscard]] const Placement &placement(Kind kind) const { return m_kinds[kind].placement; }
    /// The tensor dimension that it cuts, -1 for one that cuts none.
    [[nodiscard]] int tensorDim(Kind kind) const { return m_kinds[kind].tensorDim; }
    [[nodiscard]] bool isCut(Kind kind) const { return m_kinds[kind].tensorDim >= 0; }
    [[nodiscard]] bool isPartial(Kind kind) const { return m_kinds[kind].sums != Sums::None; }
    [[nodiscard]] bool isPlainCut(Kind kind) const { return m_kinds[kind].plainCut; }
    /// Whether two Partial kinds can be reduced together, in any order: equal ones, and sum with avg.
    [[nodiscard]] bool reduceTogether(Kind a, Kind b) const
    {
        return a == b || (m_kinds[a].sums == Sums::Linear && m_kinds[b].sums == Sums::Linear);
    }

    /// The layout's placements and its cuts in their order. The layout belongs to the space's mesh and tensor.
    PlanState state(const Layout &layout);
    /// The layout of a state. Cuts of a tensor dimension that has a StridedShard stand from the left in it.
    [[nodiscard]] Layout layout(const PlanState &state) const;

    /// How often the state cuts the tensor dimension.
    [[nodiscard]] int cuts(const PlanState &state, int tensorDim) const;
    /// The mesh dimension of the last cut of the tensor dimension, -1 for none.
    [[nodiscard]] int lastCut(const PlanState &state, int tensorDim) const;
    /// The mesh dimensions that cut the tensor dimension, the first cut first.
    [[nodiscard]] std::vector<int> order(const PlanState &state, int tensorDim) const;
    /// Whether these mesh dimensions make the last cuts of their tensor dimensions.
    [[nodiscard]] bool areLastCuts(const PlanState &state, DimSet dims) const;
    /// The state with another kind at one mesh dimension: its cut, if any, is undone, a new one comes last.
    [[nodiscard]] PlanState with(const PlanState &state, int meshDim, Kind kind) const;

    /// The collective that turns one kind into another along a mesh dimension, as if that had several ranks.
    [[nodiscard]] Collective collective(Kind before, Kind after) const;
    /// GiB that a rank holds, the tensor shared out evenly.
    [[nodiscard]] double gib(const PlanState &state) const;
    /// Microseconds of a move.
    [[nodiscard]] double microseconds(const PlanState &before, const Move &move) const;
    [[nodiscard]] double microseconds(const Plan &plan) const;
    [[nodiscard]] double zeroFill() const { return m_zeroFill; }

private:
    [[nodiscard]] bool isStrided(const PlanState &state, int tensorDim) const;

    enum class Sums { None, Linear, Other };
    struct KindFacts
    {
        Placement placement;
        int tensorDim = -1;
        Sums sums = Sums::None;
        bool plainCut = false;
    };

    Layout m_like;
    LinkCosts m_links;
    double m_zeroFill;
    double m_bytes; ///< of the whole tensor
    std::vector<KindFacts> m_kinds;
};

/// Appends the move that gives `meshDim` another kind.
void addMove(Plan &plan, const PlanSpace &space, int meshDim, Kind kind);

} // namespace pipescope::shard

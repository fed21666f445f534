// How little a plan can still take from a state on: what a search for the cheapest plan needs not to look everywhere.
#pragma once

#include "shard/plan_space.h"

#include <span>
#include <vector>

namespace pipescope::shard {

/// What each mesh dimension has to go through before a goal is reached, whatever the way: one of these collectives at
/// least.
struct DimsToMove
{
    DimSet partials = 0; ///< to be reduced
    DimSet cuts = 0;     ///< to be undone, because the goal does not have them or one before them

    friend bool operator==(const DimsToMove &, const DimsToMove &) = default;
};

class CostLeft
{
public:
    /// Whether a cut can also become a Partial.
    enum class Zeros { No, Allowed };
    /// `dims` are the mesh dimensions of several ranks. Cuts of the tensor dimensions `rewritten` may turn into others
    /// of the same mesh dimensions for nothing, because they can be written differently.
    CostLeft(const PlanSpace &space, std::vector<int> dims, Zeros zeros, std::vector<int> rewritten);

    [[nodiscard]] DimsToMove toMove(const PlanState &state, const PlanState &goal) const;
    /// Microseconds that no plan from the state to any of the goals falls below; 0 where local moves lead to one.
    [[nodiscard]] double operator()(const PlanState &state, std::span<const PlanState> goals) const;

private:
    [[nodiscard]] bool surelyMoves(const PlanState &state, const PlanState &goal, int dim) const;
    [[nodiscard]] bool stays(const PlanState &state, const PlanState &goal, int dim) const;
    [[nodiscard]] double least(DimSet dims) const;
    [[nodiscard]] double leastWithZeros(const DimsToMove &dims, const PlanState &goal) const;
    [[nodiscard]] double content(const PlanState &state) const;
    void fillTable();

    const PlanSpace &m_space;
    std::vector<int> m_dims;
    Zeros m_zeros;
    std::vector<int> m_rewritten;
    /// By set of mesh dimensions: the least that collectives over all of them take, none of them over another set's.
    std::vector<double> m_table;
};

} // namespace pipescope::shard

// The placements that the cheapest plan may go through on its way.
#pragma once

#include "shard/cost_left.h"
#include "shard/plan_space.h"

#include <array>
#include <span>
#include <vector>

namespace pipescope::shard {

/// Plain cuts of every tensor dimension that has a cut at either end, and of one more, which can make what slow links
/// carry smaller: prices do not tell one such dimension from another. Strided cuts where an end has them.
class UsableKinds
{
public:
    /// `dims` are the mesh dimensions of several ranks.
    UsableKinds(PlanSpace &space, const std::vector<int> &dims, std::span<const PlanState> from,
                std::span<const PlanState> to);

    [[nodiscard]] Kind sum() const { return m_sum; }
    /// Whether an end has a Partial beside which a shard may lie in zeros.
    [[nodiscard]] CostLeft::Zeros zeros() const { return m_zeros; }

    /// The tensor dimensions that may be cut.
    [[nodiscard]] const std::vector<int> &tensorDims() const { return m_tensorDims; }
    /// Every cut that there may be along the mesh dimension.
    template <class Act>
    void forCuts(int meshDim, Act act) const
    {
        for (const Kind kind : m_shards)
            act(kind);
        for (const Kind kind : m_strided[slot(meshDim)])
            act(kind);
    }

private:
    void addStrided(PlanSpace &space, const std::vector<int> &dims);
    void collect(PlanSpace &space, const std::vector<int> &dims, std::span<const PlanState> states);

    Kind m_sum;
    CostLeft::Zeros m_zeros = CostLeft::Zeros::No;
    std::vector<Kind> m_shards;
    std::array<std::vector<Kind>, DeviceMesh::MaxDims> m_strided; ///< by mesh dimension
    std::vector<int> m_tensorDims;
};

} // namespace pipescope::shard

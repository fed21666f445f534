// The other ways to write a state's cuts, as strided shards or as an order, each looked up once: a search meets the
// same cuts again and again.
#pragma once

#include "shard/plan_space.h"

#include <unordered_map>
#include <vector>

namespace pipescope::shard {

class OtherForms
{
public:
    /// Of cuts of these tensor dimensions only.
    OtherForms(PlanSpace &space, std::vector<int> tensorDims);

    /// The states that hold the same elements as this one and write the cuts of one tensor dimension differently.
    [[nodiscard]] std::vector<PlanState> of(const PlanState &state);

private:
    [[nodiscard]] bool mayHaveSome(const std::vector<int> &order, const PlanState &state) const;
    const std::vector<PlanState> &formsOfCuts(const PlanState &cuts);

    PlanSpace &m_space;
    std::vector<int> m_tensorDims;
    std::unordered_map<PlanState, std::vector<PlanState>, PlanStateHash> m_known; ///< by the cuts of one dimension
};

} // namespace pipescope::shard

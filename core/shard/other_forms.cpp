#include "shard/other_forms.h"

#include "shard/equal_forms.h"

#include <algorithm>
#include <utility>

namespace pipescope::shard {

OtherForms::OtherForms(PlanSpace &space, std::vector<int> tensorDims)
    : m_space(space)
    , m_tensorDims(std::move(tensorDims))
{
}

// One cut, and plain cuts from the left, have no other form.
bool OtherForms::mayHaveSome(const std::vector<int> &order, const PlanState &state) const
{
    const bool isPlain =
        std::all_of(order.begin(), order.end(), [&](int dim) { return m_space.isPlainCut(kindAt(state, dim)); });
    return !isPlain || !std::is_sorted(order.begin(), order.end());
}

const std::vector<PlanState> &OtherForms::formsOfCuts(const PlanState &cuts)
{
    const auto [known, isNew] = m_known.try_emplace(cuts);
    if (isNew)
        for (const Layout &form : equalForms(m_space.layout(cuts)))
            if (const PlanState state = m_space.state(form); !(state == cuts))
                known->second.push_back(state);
    return known->second;
}

std::vector<PlanState> OtherForms::of(const PlanState &state)
{
    std::vector<PlanState> result;
    for (const int tensorDim : m_tensorDims) {
        if (m_space.cuts(state, tensorDim) < 2)
            continue;
        const std::vector<int> order = m_space.order(state, tensorDim);
        if (!mayHaveSome(order, state))
            continue;
        PlanState cuts;
        for (const int dim : order) {
            cuts.kind[slot(dim)] = kindAt(state, dim);
            cuts.place[slot(dim)] = state.place[slot(dim)];
        }
        for (const PlanState &form : formsOfCuts(cuts)) {
            result.push_back(state);
            for (const int dim : order) {
                result.back().kind[slot(dim)] = kindAt(form, dim);
                result.back().place[slot(dim)] = form.place[slot(dim)];
            }
        }
    }
    return result;
}

} // namespace pipescope::shard

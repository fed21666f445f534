#include "shard/usable_kinds.h"

#include <algorithm>

namespace pipescope::shard {

namespace {

// Of more mesh dimensions the split factors are too many to be looked at in a moment.
constexpr std::size_t MostStridedDims = 2;

bool addUnique(std::vector<Kind> &kinds, Kind kind)
{
    if (std::find(kinds.begin(), kinds.end(), kind) != kinds.end())
        return false;
    kinds.push_back(kind);
    return true;
}

} // namespace

UsableKinds::UsableKinds(PlanSpace &space, const std::vector<int> &dims, std::span<const PlanState> from,
                         std::span<const PlanState> to)
    : m_sum(space.kind(Partial{}))
{
    collect(space, dims, from);
    collect(space, dims, to);
    for (int dim = 0; dim < space.tensorDims(); ++dim)
        if (addUnique(m_shards, space.kind(Shard{dim})))
            break;
    for (const Kind kind : m_shards)
        m_tensorDims.push_back(space.tensorDim(kind));
    if (dims.size() <= MostStridedDims)
        addStrided(space, dims);
}

// A strided cut is a cut under those to its right, made first: what they hold stays while it is undone.
void UsableKinds::addStrided(PlanSpace &space, const std::vector<int> &dims)
{
    for (std::size_t i = 0; i < dims.size(); ++i) {
        std::vector<std::int64_t> factors{1};
        for (std::size_t right = i + 1; right < dims.size(); ++right)
            for (std::size_t known = factors.size(); known > 0; --known)
                factors.push_back(factors[known - 1] * space.ranks(dims[right]));
        for (const int tensorDim : m_tensorDims)
            for (const std::int64_t factor : factors)
                if (factor > 1)
                    addUnique(m_strided[slot(dims[i])], space.kind(StridedShard{tensorDim, factor}));
    }
}

void UsableKinds::collect(PlanSpace &space, const std::vector<int> &dims, std::span<const PlanState> states)
{
    for (const PlanState &state : states)
        for (const int dim : dims) {
            const Kind kind = kindAt(state, dim);
            if (space.isPartial(kind) && space.reduceTogether(kind, m_sum))
                m_zeros = CostLeft::Zeros::Allowed;
            if (!space.isCut(kind))
                continue;
            addUnique(m_shards, space.kind(Shard{space.tensorDim(kind)}));
            if (!space.isPlainCut(kind))
                addUnique(m_strided[slot(dim)], kind);
        }
}

} // namespace pipescope::shard

#include "shard/plan_space.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace pipescope::shard {

PlanSpace::PlanSpace(const Layout &like, const CostModel &costs)
    : m_like(like)
    , m_links(like.mesh(), costs)
    , m_zeroFill(costs.zeroFillMicroseconds)
    , m_bytes(static_cast<double>(like.numel()) * like.itemSize())
    , m_kinds{{Replicate{}, -1, Sums::None, false}}
{
}

Kind PlanSpace::kind(const Placement &placement)
{
    const auto known = std::find_if(m_kinds.begin(), m_kinds.end(),
                                    [&](const KindFacts &facts) { return facts.placement == placement; });
    if (known != m_kinds.end())
        return static_cast<Kind>(known - m_kinds.begin());
    KindFacts facts{placement};
    if (const int *dim = shardDim(placement))
        facts.tensorDim = *dim;
    facts.plainCut = std::holds_alternative<Shard>(placement);
    if (const auto *partial = std::get_if<Partial>(&placement))
        facts.sums = partial->op == ReduceOp::Sum || partial->op == ReduceOp::Avg ? Sums::Linear : Sums::Other;
    else if (std::holds_alternative<NormPartial>(placement))
        facts.sums = Sums::Other;
    m_kinds.push_back(facts);
    return static_cast<Kind>(m_kinds.size() - 1);
}

PlanState PlanSpace::state(const Layout &layout)
{
    PlanState result;
    for (int dim = 0; dim < meshDims(); ++dim)
        result.kind[slot(dim)] = kind(layout.placements()[slot(dim)]);
    for (int tensorDim = 0; tensorDim < tensorDims(); ++tensorDim) {
        std::uint8_t place = 0;
        for (const Cut &cut : layout.cuts(tensorDim))
            result.place[slot(cut.meshDim)] = place++;
    }
    return result;
}

Layout PlanSpace::layout(const PlanState &state) const
{
    LayoutRequest request{m_like.mesh(), {}, m_like.shape(), {}, m_like.stride(), m_like.dtype()};
    for (int dim = 0; dim < meshDims(); ++dim)
        request.placements.push_back(placement(kindAt(state, dim)));
    for (int tensorDim = 0; tensorDim < tensorDims(); ++tensorDim) {
        std::vector<int> dims = order(state, tensorDim);
        if (!std::is_sorted(dims.begin(), dims.end()) && !isStrided(state, tensorDim))
            request.order.push_back({tensorDim, std::move(dims)});
    }
    Result<Layout> made = Layout::make(std::move(request));
    return *std::move(made); // a plan holds nothing that a layout may not hold
}

std::vector<int> PlanSpace::longDims() const
{
    std::vector<int> dims;
    for (int dim = 0; dim < meshDims(); ++dim)
        if (ranks(dim) > 1)
            dims.push_back(dim);
    return dims;
}

// A strided cut that comes before one to its left is along a mesh dimension of one rank, which may stand anywhere.
bool PlanSpace::isStrided(const PlanState &state, int tensorDim) const
{
    for (int dim = 0; dim < meshDims(); ++dim)
        if (m_kinds[kindAt(state, dim)].tensorDim == tensorDim && !isPlainCut(kindAt(state, dim)))
            return true;
    return false;
}

int PlanSpace::cuts(const PlanState &state, int tensorDim) const
{
    int count = 0;
    for (int dim = 0; dim < meshDims(); ++dim)
        count += m_kinds[kindAt(state, dim)].tensorDim == tensorDim ? 1 : 0;
    return count;
}

int PlanSpace::lastCut(const PlanState &state, int tensorDim) const
{
    int last = -1;
    for (int dim = 0; dim < meshDims(); ++dim)
        if (m_kinds[kindAt(state, dim)].tensorDim == tensorDim &&
            (last < 0 || state.place[slot(dim)] > state.place[slot(last)]))
            last = dim;
    return last;
}

std::vector<int> PlanSpace::order(const PlanState &state, int tensorDim) const
{
    std::vector<int> result;
    for (int dim = 0; dim < meshDims(); ++dim)
        if (m_kinds[kindAt(state, dim)].tensorDim == tensorDim)
            result.push_back(dim);
    std::sort(result.begin(), result.end(), [&](int a, int b) { return state.place[slot(a)] < state.place[slot(b)]; });
    return result;
}

bool PlanSpace::areLastCuts(const PlanState &state, DimSet dims) const
{
    for (DimSet rest = dims; rest != 0; rest &= rest - 1) {
        const int dim = std::countr_zero(rest);
        const int tensorDim = m_kinds[kindAt(state, dim)].tensorDim;
        for (int other = 0; other < meshDims(); ++other)
            if ((dims & dimSet(other)) == 0 && m_kinds[kindAt(state, other)].tensorDim == tensorDim &&
                state.place[slot(other)] > state.place[slot(dim)])
                return false;
    }
    return true;
}

PlanState PlanSpace::with(const PlanState &state, int meshDim, Kind kind) const
{
    PlanState result = state;
    const int undone = m_kinds[kindAt(state, meshDim)].tensorDim;
    if (undone >= 0)
        for (int dim = 0; dim < meshDims(); ++dim)
            if (m_kinds[kindAt(state, dim)].tensorDim == undone && state.place[slot(dim)] > state.place[slot(meshDim)])
                --result.place[slot(dim)];
    result.kind[slot(meshDim)] = 0;
    const int cut = m_kinds[kind].tensorDim;
    result.place[slot(meshDim)] = cut < 0 ? std::uint8_t{0} : static_cast<std::uint8_t>(cuts(result, cut));
    result.kind[slot(meshDim)] = kind;
    return result;
}

Collective PlanSpace::collective(Kind before, Kind after) const
{
    if (before == after)
        return Collective::None;
    if (isPartial(after))
        return Collective::LocalPartial;
    if (isPartial(before))
        return isCut(after) ? Collective::ReduceScatter : Collective::AllReduce;
    if (isCut(before))
        return isCut(after) ? Collective::AllToAll : Collective::AllGather;
    return Collective::LocalChunk;
}

double PlanSpace::gib(const PlanState &state) const
{
    constexpr double Kibi = 1024;
    double shards = 1;
    for (int dim = 0; dim < meshDims(); ++dim)
        if (isCut(kindAt(state, dim)))
            shards *= ranks(dim);
    return m_bytes / shards / Kibi / Kibi / Kibi;
}

double PlanSpace::microseconds(const PlanState &before, const Move &move) const
{
    if (move.collective == Collective::LocalPartial)
        return isCut(kindAt(before, std::countr_zero(move.dims))) ? m_zeroFill : 0;
    return m_links.microseconds(move.collective, move.dims, gib(before));
}

double PlanSpace::microseconds(const Plan &plan) const
{
    double sum = 0;
    const PlanState *before = &plan.start;
    for (const Move &move : plan.moves) {
        sum += microseconds(*before, move);
        before = &move.after;
    }
    return sum;
}

void addMove(Plan &plan, const PlanSpace &space, int meshDim, Kind kind)
{
    const PlanState before = plan.end();
    plan.moves.push_back(
        {dimSet(meshDim), space.collective(kindAt(before, meshDim), kind), space.with(before, meshDim, kind)});
}

} // namespace pipescope::shard

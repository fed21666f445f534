#include "shard/cost_left.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <utility>

namespace pipescope::shard {

namespace {

// The table has 2 to the power of the mesh's dimensions entries, and takes 3 to their power to fill.
constexpr int MostTableDims = 8;

} // namespace

CostLeft::CostLeft(const PlanSpace &space, std::vector<int> dims, Zeros zeros, std::vector<int> rewritten)
    : m_space(space)
    , m_dims(std::move(dims))
    , m_zeros(zeros)
    , m_rewritten(std::move(rewritten))
{
    if (space.meshDims() <= MostTableDims)
        fillTable();
}

// A set's first dimension goes with some of the others, in one collective; the rest in others.
void CostLeft::fillTable()
{
    const DimSet count = DimSet{1} << static_cast<unsigned>(m_space.meshDims());
    m_table.assign(count, 0);
    for (DimSet dims = 1; dims < count; ++dims) {
        const DimSet first = firstOf(dims);
        const DimSet others = dims & ~first;
        m_table[dims] = std::numeric_limits<double>::infinity();
        for (DimSet with = others;; with = (with - 1) & others) {
            const double together = m_space.links().microseconds(Collective::AllGather, first | with, 0);
            m_table[dims] = std::min(m_table[dims], together + m_table[others & ~with]);
            if (with == 0)
                break;
        }
    }
}

double CostLeft::least(DimSet dims) const
{
    if (dims == 0)
        return 0;
    return m_table.empty() ? m_space.links().least() : m_table[dims];
}

// Whether the cut and all cuts before it are the goal's.
bool CostLeft::stays(const PlanState &state, const PlanState &goal, int dim) const
{
    const int tensorDim = m_space.tensorDim(kindAt(state, dim));
    const std::uint8_t place = state.place[slot(dim)];
    for (const int other : m_dims)
        if (m_space.tensorDim(kindAt(state, other)) == tensorDim && state.place[slot(other)] <= place &&
            (kindAt(state, other) != kindAt(goal, other) || state.place[slot(other)] != goal.place[slot(other)]))
            return false;
    return true;
}

bool CostLeft::surelyMoves(const PlanState &state, const PlanState &goal, int dim) const
{
    const int tensorDim = m_space.tensorDim(kindAt(state, dim));
    if (std::find(m_rewritten.begin(), m_rewritten.end(), tensorDim) == m_rewritten.end())
        return !stays(state, goal, dim);
    return m_space.tensorDim(kindAt(goal, dim)) != tensorDim;
}

DimsToMove CostLeft::toMove(const PlanState &state, const PlanState &goal) const
{
    DimsToMove result;
    for (const int dim : m_dims) {
        const Kind kind = kindAt(state, dim);
        if (m_space.isPartial(kind) && kind != kindAt(goal, dim))
            result.partials |= dimSet(dim);
        else if (m_space.isCut(kind) && !stays(state, goal, dim))
            result.cuts |= dimSet(dim);
    }
    return result;
}

// Some of the cuts may become Partials, each for the price of its zeros, and be reduced with those.
double CostLeft::leastWithZeros(const DimsToMove &dims, const PlanState &goal) const
{
    if (m_table.empty())
        return least(dims.partials) + (dims.cuts == 0 ? 0 : std::min(m_space.zeroFill(), m_space.links().least()));
    double result = std::numeric_limits<double>::infinity();
    for (DimSet filled = dims.cuts;; filled = (filled - 1) & dims.cuts) {
        DimSet reduced = dims.partials;
        for (DimSet rest = filled; rest != 0; rest &= rest - 1)
            if (!m_space.isPartial(kindAt(goal, std::countr_zero(rest))))
                reduced |= firstOf(rest);
        result =
            std::min(result, least(dims.cuts & ~filled) + std::popcount(filled) * m_space.zeroFill() + least(reduced));
        if (filled == 0)
            return result;
    }
}

// GiB of the tensor that a rank has, a Partial counted as what it would be if all its shares were shared out. Only what
// a collective hands over makes it more: zeros around a shard do not, and a reduction hands over as much as it adds.
double CostLeft::content(const PlanState &state) const
{
    double shares = 1;
    for (const int dim : m_dims)
        if (m_space.isPartial(kindAt(state, dim)))
            shares *= m_space.ranks(dim);
    return m_space.gib(state) / shares;
}

// No collective is both over Partials and over cuts.
double CostLeft::operator()(const PlanState &state, std::span<const PlanState> goals) const
{
    double result = std::numeric_limits<double>::infinity();
    const double has = content(state);
    for (const PlanState &goal : goals) {
        DimsToMove dims = toMove(state, goal);
        for (DimSet rest = m_rewritten.empty() ? 0 : dims.cuts; rest != 0; rest &= rest - 1)
            if (!surelyMoves(state, goal, std::countr_zero(rest)))
                dims.cuts &= ~firstOf(rest);
        const double lacks = std::max(content(goal) - has, 0.0);
        const double collectives =
            m_zeros == Zeros::No ? least(dims.partials) + least(dims.cuts) : leastWithZeros(dims, goal);
        result = std::min(result, collectives + lacks * m_space.links().leastPerGib());
    }
    return result;
}

} // namespace pipescope::shard

#include "shard/plans.h"

#include <bit>

namespace pipescope::shard {

namespace {

class GreedyWalk
{
public:
    GreedyWalk(const PlanSpace &space, const PlanState &from, const PlanState &to)
        : m_space(space)
        , m_to(to)
    {
        m_plan.start = from;
    }

    Plan run()
    {
        const int dims = m_space.meshDims();
        if (dims == 1) {
            go(0, kindAt(m_to, 0));
            return std::move(m_plan);
        }
        if (hasShards())
            for (int dim = dims - 1; dim >= 0; --dim)
                go(dim, isMisaligned(dim) ? Kind{0} : target(dim));
        for (int dim = 0; dim < dims; ++dim)
            go(dim, target(dim));
        return std::move(m_plan);
    }

private:
    Kind current(int dim) const { return kindAt(m_plan.end(), dim); }
    Kind target(int dim) const { return kindAt(m_to, dim); }

    bool hasShards() const
    {
        for (int dim = 0; dim < m_space.meshDims(); ++dim)
            if (m_space.isCut(current(dim)) && m_space.ranks(dim) > 1)
                return true;
        return false;
    }

    // Whether the mesh dimensions left of it that cut its target's tensor dimension are others now than in the end.
    bool isMisaligned(int meshDim) const
    {
        if (!m_space.isPlainCut(target(meshDim)))
            return false;
        const int tensorDim = m_space.tensorDim(target(meshDim));
        for (int dim = 0; dim < meshDim; ++dim)
            if (cutsPlainly(current(dim), tensorDim) != cutsPlainly(target(dim), tensorDim))
                return true;
        return false;
    }

    bool cutsPlainly(Kind kind, int tensorDim) const
    {
        return m_space.isPlainCut(kind) && m_space.tensorDim(kind) == tensorDim;
    }

    bool isStrided(Kind kind) const { return m_space.isCut(kind) && !m_space.isPlainCut(kind); }

    void go(int dim, Kind kind)
    {
        const Kind now = current(dim);
        if (now == kind)
            return;
        const bool throughReplicate = (isStrided(now) && m_space.isCut(kind)) || (isStrided(kind) && now != 0);
        if (throughReplicate)
            addMove(m_plan, m_space, dim, 0);
        addMove(m_plan, m_space, dim, kind);
    }

    const PlanSpace &m_space;
    const PlanState &m_to;
    Plan m_plan;
};

// Cuts along mesh dimensions of one rank leave everything as it is: none is in the way.
bool isUnderAnotherCut(const PlanSpace &space, const PlanState &state, int meshDim)
{
    for (const int dim : space.longDims())
        if (space.tensorDim(kindAt(state, dim)) == space.tensorDim(kindAt(state, meshDim)) &&
            state.place[slot(dim)] > state.place[slot(meshDim)])
            return true;
    return false;
}

// Whether a mesh dimension left of this one cuts the tensor dimension (any, where that is -1) in strides.
bool stridesBefore(const PlanSpace &space, const PlanState &from, int meshDim, int tensorDim)
{
    for (const int dim : space.longDims()) {
        const Kind kind = kindAt(from, dim);
        if (dim < meshDim && space.isCut(kind) && !space.isPlainCut(kind) &&
            (tensorDim < 0 || space.tensorDim(kind) == tensorDim))
            return true;
    }
    return false;
}

// Whether both cut alike, cuts along mesh dimensions of one rank left aside.
bool holdAlike(const PlanSpace &space, const PlanState &a, const PlanState &b)
{
    const auto longOrder = [&](const PlanState &state, int tensorDim) {
        std::vector<int> order = space.order(state, tensorDim);
        std::erase_if(order, [&](int dim) { return space.ranks(dim) == 1; });
        return order;
    };
    for (int tensorDim = 0; tensorDim < space.tensorDims(); ++tensorDim)
        if (longOrder(a, tensorDim) != longOrder(b, tensorDim))
            return false;
    return a.kind == b.kind;
}

} // namespace

Plan planGreedy(const PlanSpace &space, const PlanState &from, const PlanState &to)
{
    return GreedyWalk(space, from, to).run();
}

bool greedyIsRight(const PlanSpace &space, const Plan &plan, const PlanState &to)
{
    const PlanState *before = &plan.start;
    for (const Move &move : plan.moves) {
        const int dim = std::countr_zero(move.dims);
        const Kind kind = kindAt(*before, dim);
        const bool fillsZeros = move.collective == Collective::LocalPartial;
        if (space.isCut(kind) && space.ranks(dim) > 1 &&
            (isUnderAnotherCut(space, *before, dim) ||
             stridesBefore(space, plan.start, dim, fillsZeros ? -1 : space.tensorDim(kind))))
            return false;
        before = &move.after;
    }
    return holdAlike(space, *before, to);
}

} // namespace pipescope::shard

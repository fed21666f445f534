#include "shard/plans.h"

namespace pipescope::shard {

namespace {

class DirectPlan
{
public:
    DirectPlan(PlanSpace &space, const PlanState &from, const PlanState &to)
        : m_space(space)
        , m_to(to)
        , m_sum(space.kind(Partial{}))
    {
        m_plan.start = from;
    }

    // Reductions first: they cost least while most is cut.
    Plan run()
    {
        for (int dim = 0; dim < m_space.meshDims(); ++dim)
            if (isPartial(now(dim)) && now(dim) != target(dim) && !m_space.isPlainCut(target(dim)))
                addMove(m_plan, m_space, dim, 0);
        for (int dim = 0; dim < m_space.meshDims(); ++dim)
            if (isPartial(now(dim)) && now(dim) != target(dim) && !staysUnmixed(now(dim)))
                addMove(m_plan, m_space, dim, 0);
        for (int tensorDim = 0; tensorDim < m_space.tensorDims(); ++tensorDim)
            undo(tensorDim);
        for (int tensorDim = 0; tensorDim < m_space.tensorDims(); ++tensorDim)
            for (const int dim : m_space.order(m_to, tensorDim))
                if (now(dim) != target(dim))
                    addMove(m_plan, m_space, dim, target(dim));
        for (int dim = 0; dim < m_space.meshDims(); ++dim)
            if (now(dim) != target(dim))
                addMove(m_plan, m_space, dim, target(dim));
        return std::move(m_plan);
    }

private:
    Kind now(int dim) const { return kindAt(m_plan.end(), dim); }
    Kind target(int dim) const { return kindAt(m_to, dim); }
    bool isPartial(Kind kind) const { return m_space.isPartial(kind); }

    // Whether no Partial of the target is of a kind that may not stand beside this one.
    bool staysUnmixed(Kind kind) const
    {
        for (int dim = 0; dim < m_space.meshDims(); ++dim)
            if (isPartial(target(dim)) && !m_space.reduceTogether(kind, target(dim)))
                return false;
        return true;
    }

    // From the last cut back to the first one that differs from the target's.
    void undo(int tensorDim)
    {
        const std::vector<int> order = m_space.order(m_plan.start, tensorDim);
        const std::vector<int> aim = m_space.order(m_to, tensorDim);
        std::size_t same = 0;
        while (same < order.size() && same < aim.size() && order[same] == aim[same] &&
               now(order[same]) == target(order[same]))
            ++same;
        for (std::size_t i = order.size(); i > same; --i)
            addMove(m_plan, m_space, order[i - 1], target(order[i - 1]) == m_sum ? m_sum : Kind{0});
    }

    PlanSpace &m_space;
    const PlanState &m_to;
    Kind m_sum;
    Plan m_plan;
};

} // namespace

Plan planDirect(PlanSpace &space, const PlanState &from, const PlanState &to)
{
    return DirectPlan(space, from, to).run();
}

} // namespace pipescope::shard

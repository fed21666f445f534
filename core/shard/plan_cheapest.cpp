#include "shard/cost_left.h"
#include "shard/other_forms.h"
#include "shard/plans.h"
#include "shard/usable_kinds.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <queue>
#include <unordered_map>

namespace pipescope::shard {

namespace {

// Meshes of 3 dimensions reach some hundred states; beyond this many the best plan so far is taken.
constexpr std::size_t MostReached = 50000;
// Of more dimensions than these, only pairs are tried together, and all at once.
constexpr int MostMergedDims = 4;
// On meshes of more dimensions, a collective over several cuts as a goal does, and no other way.
constexpr std::size_t MostRecutDims = 2;
// Equal sums of the same numbers differ by less.
constexpr double Rounding = 1e-9;

// A*: states in the order of what a plan through them takes at least.
class CheapestSearch
{
public:
    CheapestSearch(PlanSpace &space, std::span<const PlanState> from, std::span<const PlanState> to)
        : m_space(space)
        , m_start(from.front())
        , m_goals(to)
        , m_dims(space.longDims())
        , m_kinds(space, m_dims, from, to)
        , m_left(space, m_dims, m_kinds.zeros(), m_kinds.tensorDims())
        , m_forms(space, m_kinds.tensorDims())
        , m_direct(planDirect(space, from.front(), to.front()))
        , m_bound(space.microseconds(m_direct) + Rounding)
    {
        for (const PlanState &state : from)
            reach(Nobody, {0, Collective::None, state}, 0);
    }

    Plan run()
    {
        while (!m_queue.empty()) {
            const Entry entry = m_queue.top();
            m_queue.pop();
            if (m_nodes[entry.node].done)
                continue;
            m_nodes[entry.node].done = true;
            if (isGoal(m_nodes[entry.node].move.after))
                return path(entry.node);
            if (m_nodes.size() > MostReached)
                break;
            expand(entry.node);
        }
        Plan best = m_best == Nobody ? std::move(m_direct) : path(m_best);
        best.note = "The mesh has too many dimensions to try all plans; a cheaper one may exist.";
        return best;
    }

private:
    static constexpr std::uint32_t Nobody = std::numeric_limits<std::uint32_t>::max();

    struct Node
    {
        Move move; // that led here
        double cost = 0;
        double left = 0; // at least
        std::uint32_t parent = Nobody;
        std::uint32_t steps = 0;
        bool done = false;
    };
    struct Entry
    {
        double least; // of a plan through it
        std::uint32_t steps;
        std::uint32_t node;
        bool operator<(const Entry &other) const
        {
            if (least != other.least)
                return least > other.least;
            return steps != other.steps ? steps > other.steps : node > other.node;
        }
    };

    bool isGoal(const PlanState &state) const
    {
        return std::find(m_goals.begin(), m_goals.end(), state) != m_goals.end();
    }

    void reach(std::uint32_t parent, const Move &move, double cost)
    {
        if (cost > m_bound)
            return;
        const std::uint32_t steps = parent == Nobody ? 0 : m_nodes[parent].steps + (move.dims == 0 ? 0 : 1);
        const auto [known, isNew] = m_index.try_emplace(move.after, static_cast<std::uint32_t>(m_nodes.size()));
        if (isNew)
            m_nodes.push_back({{}, 0, m_left(move.after, m_goals), Nobody, 0, false});
        Node &node = m_nodes[known->second];
        const bool isBetter = isNew || (!node.done && (cost < node.cost || (cost == node.cost && steps < node.steps)));
        if (!isBetter)
            return;
        node = {move, cost, node.left, parent, steps, false};
        if (cost + node.left > m_bound)
            return;
        m_queue.push({cost + node.left, steps, known->second});
        if (isGoal(move.after)) {
            m_bound = std::min(m_bound, cost + Rounding);
            m_best = known->second;
        }
        reachOtherForms(known->second);
    }

    // No step, but other cuts are the last ones.
    void reachOtherForms(std::uint32_t node)
    {
        const double cost = m_nodes[node].cost;
        for (const PlanState &form : m_forms.of(m_nodes[node].move.after))
            reach(node, {0, Collective::None, form}, cost);
    }

    // A mesh dimension that can be cut as the goal has it, to stay: less is moved from here on, whatever comes.
    bool cutForGood(std::uint32_t node, const PlanState &state)
    {
        if (m_goals.size() != 1)
            return false;
        const PlanState &goal = m_goals.front();
        for (const int dim : m_dims) {
            const int tensorDim = m_space.tensorDim(kindAt(goal, dim));
            if (kindAt(state, dim) != 0 || tensorDim < 0)
                continue;
            std::vector<int> order = m_space.order(state, tensorDim);
            const std::vector<int> aim = m_space.order(goal, tensorDim);
            order.push_back(dim);
            const PlanState next = m_space.with(state, dim, kindAt(goal, dim));
            const bool isGoals = order.size() <= aim.size() &&
                                 std::equal(order.begin(), order.end(), aim.begin(), [&](int have, int want) {
                                     return have == want && kindAt(next, have) == kindAt(goal, want);
                                 });
            if (!isGoals)
                continue;
            reach(node, {dimSet(dim), Collective::LocalChunk, next}, m_nodes[node].cost);
            return true;
        }
        return false;
    }

    void expand(std::uint32_t node)
    {
        const PlanState state = m_nodes[node].move.after;
        if (cutForGood(node, state))
            return;
        for (const int dim : m_dims)
            if (kindAt(state, dim) == 0)
                makeLocally(node, state, dim);
        // A sum that stays may still be reduced, so that less is moved, and come back as shards in zeros.
        DimSet sums = 0;
        for (const int dim : m_dims)
            if (kindAt(state, dim) == m_kinds.sum())
                sums |= dimSet(dim);
        std::vector<DimsToMove> tried;
        for (const PlanState &goal : m_goals) {
            const DimsToMove dims = m_left.toMove(state, goal);
            if (std::find(tried.begin(), tried.end(), dims) != tried.end())
                continue;
            expandCuts(node, state, dims.cuts);
            expandPartials(node, state, dims.partials | sums);
            tried.push_back(dims);
        }
    }

    void expandCuts(std::uint32_t node, const PlanState &state, DimSet cuts)
    {
        if (m_kinds.zeros() == CostLeft::Zeros::Allowed)
            for (const int dim : dimsOf(cuts))
                fillZeros(node, state, dim);
        forSubsets(cuts, MostMergedDims, [&](DimSet dims) {
            if (m_space.areLastCuts(state, dims))
                exchange(node, state, dims, Collective::AllGather, Collective::AllToAll);
        });
    }

    void expandPartials(std::uint32_t node, const PlanState &state, DimSet partials)
    {
        forSubsets(partials, MostMergedDims, [&](DimSet dims) {
            for (const int dim : m_dims)
                if ((dims & dimSet(dim)) != 0 &&
                    !m_space.reduceTogether(kindAt(state, std::countr_zero(dims)), kindAt(state, dim)))
                    return;
            exchange(node, state, dims, Collective::AllReduce, Collective::ReduceScatter);
        });
    }

    void makeLocally(std::uint32_t node, const PlanState &state, int dim)
    {
        const double cost = m_nodes[node].cost;
        m_kinds.forCuts(dim, [&](Kind kind) {
            reachIfOrdered(node, {dimSet(dim), Collective::LocalChunk, m_space.with(state, dim, kind)}, cost);
        });
        if (kindAt(m_start, dim) != 0)
            return; // shares of what was cut would be rounded
        for (const PlanState &goal : m_goals)
            if (m_space.isPartial(kindAt(goal, dim)))
                reach(node, {dimSet(dim), Collective::LocalPartial, m_space.with(state, dim, kindAt(goal, dim))}, cost);
    }

    // Only beside Partials that a sum of zeros does not change.
    void fillZeros(std::uint32_t node, const PlanState &state, int dim)
    {
        for (const int other : m_dims)
            if (m_space.isPartial(kindAt(state, other)) && !m_space.reduceTogether(kindAt(state, other), m_kinds.sum()))
                return;
        if (m_space.isPlainCut(kindAt(state, dim)) && m_space.areLastCuts(state, dimSet(dim)))
            reach(node, {dimSet(dim), Collective::LocalPartial, m_space.with(state, dim, m_kinds.sum())},
                  m_nodes[node].cost + m_space.zeroFill());
    }

    // The collective that leaves Replicates, and the one that leaves cuts.
    void exchange(std::uint32_t node, const PlanState &state, DimSet dims, Collective whole, Collective parts)
    {
        PlanState without = state;
        for (const int dim : m_dims)
            if ((dims & dimSet(dim)) != 0)
                without = m_space.with(without, dim, 0);
        const double gib = m_space.gib(state);
        const double before = m_nodes[node].cost;
        const double cost = before + m_space.links().microseconds(parts, dims, gib);
        if (cost <= m_bound) {
            if (std::popcount(dims) > 1 && m_dims.size() > MostRecutDims)
                recutAsGoals(node, {dims, parts, without}, cost);
            else
                recut(node, {dims, parts, without}, dims, cost);
        }
        reach(node, {dims, whole, without}, before + m_space.links().microseconds(whole, dims, gib));
    }

    void recutAsGoals(std::uint32_t node, const Move &move, double cost)
    {
        for (const PlanState &goal : m_goals) {
            Move next = move;
            DimSet rest = move.dims;
            for (int tensorDim = 0; tensorDim < m_space.tensorDims() && rest != 0; ++tensorDim)
                for (const int dim : m_space.order(goal, tensorDim))
                    if ((rest & dimSet(dim)) != 0) {
                        next.after = m_space.with(next.after, dim, kindAt(goal, dim));
                        rest &= ~dimSet(dim);
                    }
            if (rest == 0)
                reachIfOrdered(node, next, cost);
        }
    }

    // All ways to cut along the dimensions that are left to do, each made once: a cut goes to any place among those
    // that this move makes.
    void recut(std::uint32_t node, const Move &move, DimSet rest, double cost)
    {
        if (rest == 0) {
            if (!(move.after == m_nodes[node].move.after))
                reachIfOrdered(node, move, cost);
            return;
        }
        const int dim = std::countr_zero(rest);
        m_kinds.forCuts(dim, [&](Kind kind) {
            Move next{move.dims, move.collective, m_space.with(move.after, dim, kind)};
            recut(node, next, rest & (rest - 1), cost);
            while (moveForward(next.after, move.dims & ~rest, dim))
                recut(node, next, rest & (rest - 1), cost);
        });
    }

    // Swaps the cut with the one before it, if that is one of `others`.
    bool moveForward(PlanState &state, DimSet others, int dim) const
    {
        for (const int other : dimsOf(others))
            if (m_space.tensorDim(kindAt(state, other)) == m_space.tensorDim(kindAt(state, dim)) &&
                state.place[slot(other)] + 1 == state.place[slot(dim)]) {
                std::swap(state.place[slot(other)], state.place[slot(dim)]);
                return true;
            }
        return false;
    }

    // A layout can say an order of plain cuts only: beside strided ones all come from the left.
    void reachIfOrdered(std::uint32_t node, const Move &move, double cost)
    {
        for (const int dim : m_dims) {
            const Kind kind = kindAt(move.after, dim);
            if (!m_space.isCut(kind) || m_space.isPlainCut(kind))
                continue;
            const std::vector<int> order = m_space.order(move.after, m_space.tensorDim(kind));
            if (!std::is_sorted(order.begin(), order.end()))
                return;
        }
        reach(node, move, cost);
    }

    Plan path(std::uint32_t node) const
    {
        Plan plan;
        for (; m_nodes[node].parent != Nobody; node = m_nodes[node].parent)
            if (m_nodes[node].move.dims != 0)
                plan.moves.push_back(m_nodes[node].move);
        std::reverse(plan.moves.begin(), plan.moves.end());
        plan.start = m_nodes[node].move.after;
        return plan;
    }

    PlanSpace &m_space;
    const PlanState &m_start;
    std::span<const PlanState> m_goals;
    std::vector<int> m_dims;
    UsableKinds m_kinds;
    CostLeft m_left;
    OtherForms m_forms;
    Plan m_direct;
    double m_bound;
    std::uint32_t m_best = Nobody;
    std::vector<Node> m_nodes;
    std::unordered_map<PlanState, std::uint32_t, PlanStateHash> m_index;
    std::priority_queue<Entry> m_queue;
};

} // namespace

Plan planCheapest(PlanSpace &space, std::span<const PlanState> from, std::span<const PlanState> to)
{
    return CheapestSearch(space, from, to).run();
}

} // namespace pipescope::shard

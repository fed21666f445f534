#include "shard/plans.h"

#include <algorithm>
#include <queue>
#include <unordered_set>

namespace pipescope::shard {

namespace {

// A mesh of 4 dimensions with a tensor of 4 has about 2 000 states; upstream has no limit.
constexpr std::size_t MostStates = 20000;

class UpstreamSearch
{
public:
    UpstreamSearch(PlanSpace &space, const PlanState &from, const PlanState &to)
        : m_space(space)
        , m_to(to)
        , m_sum(space.kind(Partial{}))
    {
        for (int dim = 0; dim < space.tensorDims(); ++dim)
            m_shards.push_back(space.kind(Shard{dim}));
        collectPartials(from);
        collectPartials(to);
        push({from, Move{}, 0, NoParent});
    }

    std::optional<Plan> run()
    {
        while (!m_queue.empty()) {
            const std::size_t node = m_queue.top().node;
            m_queue.pop();
            if (m_nodes[node].state == m_to)
                return path(node);
            if (!m_visited.insert(m_nodes[node].state).second)
                continue;
            if (m_visited.size() > MostStates)
                return std::nullopt;
            expand(node);
        }
        return std::nullopt;
    }

private:
    static constexpr std::size_t NoParent = static_cast<std::size_t>(-1);

    struct Node
    {
        PlanState state;
        Move move;
        double cost;
        std::size_t parent;
    };
    struct Entry
    {
        double cost;
        std::size_t node; // upstream's counter: among equals the one that was found first
        bool operator<(const Entry &other) const { return cost != other.cost ? cost > other.cost : node > other.node; }
    };

    void collectPartials(const PlanState &state)
    {
        for (int dim = 0; dim < m_space.meshDims(); ++dim) {
            const Kind kind = kindAt(state, dim);
            const auto *partial = std::get_if<Partial>(&m_space.placement(kind));
            if (partial && std::find(m_partials.begin(), m_partials.end(), kind) == m_partials.end())
                m_partials.push_back(kind);
        }
    }

    void push(Node node)
    {
        m_queue.push({node.cost, m_nodes.size()});
        m_nodes.push_back(node);
    }

    // The order of these loops is upstream's: it decides between plans of one cost.
    void expand(std::size_t node)
    {
        const PlanState state = m_nodes[node].state;
        for (int dim = 0; dim < m_space.tensorDims(); ++dim)
            if (const int last = m_space.lastCut(state, dim); last >= 0)
                for (const Kind shard : m_shards)
                    if (m_space.tensorDim(shard) != dim)
                        step(node, last, shard);
        for (int dim = 0; dim < m_space.tensorDims(); ++dim)
            if (const int last = m_space.lastCut(state, dim); last >= 0)
                step(node, last, 0);
        forEach(state, &PlanSpace::isPartial, [&](int dim) { step(node, dim, 0); });
        forEachReplicate(state, [&](int dim) { stepToShards(node, dim); });
        forEach(state, &PlanSpace::isPartial, [&](int dim) { stepToShards(node, dim); });
        forEachReplicate(state, [&](int dim) {
            for (const Kind partial : m_partials)
                if (mayStandIn(state, partial))
                    step(node, dim, partial);
        });
        for (int dim = 0; dim < m_space.tensorDims(); ++dim)
            if (const int last = m_space.lastCut(state, dim);
                last >= 0 && kindAt(m_to, last) == m_sum && mayStandIn(state, m_sum))
                step(node, last, m_sum);
    }

    template <class Is, class Do>
    void forEach(const PlanState &state, Is is, Do act)
    {
        for (int dim = 0; dim < m_space.meshDims(); ++dim)
            if ((m_space.*is)(kindAt(state, dim)))
                act(dim);
    }

    template <class Do>
    void forEachReplicate(const PlanState &state, Do act)
    {
        for (int dim = 0; dim < m_space.meshDims(); ++dim)
            if (kindAt(state, dim) == 0)
                act(dim);
    }

    void stepToShards(std::size_t node, int meshDim)
    {
        for (const Kind shard : m_shards)
            step(node, meshDim, shard);
    }

    bool mayStandIn(const PlanState &state, Kind partial) const
    {
        for (int dim = 0; dim < m_space.meshDims(); ++dim) {
            const Kind kind = kindAt(state, dim);
            if (m_space.isPartial(kind) && !m_space.reduceTogether(kind, partial))
                return false;
        }
        return true;
    }

    void step(std::size_t node, int meshDim, Kind kind)
    {
        const PlanState &before = m_nodes[node].state;
        Move move{dimSet(meshDim), m_space.collective(kindAt(before, meshDim), kind),
                  m_space.with(before, meshDim, kind)};
        if (m_visited.count(move.after) != 0)
            return;
        const double cost = moves(move.collective) ? m_space.microseconds(before, move) : 0; // zeros are free here
        push({move.after, move, m_nodes[node].cost + cost, node});
    }

    Plan path(std::size_t node) const
    {
        Plan plan;
        for (; m_nodes[node].parent != NoParent; node = m_nodes[node].parent)
            plan.moves.push_back(m_nodes[node].move);
        std::reverse(plan.moves.begin(), plan.moves.end());
        plan.start = m_nodes[node].state;
        return plan;
    }

    PlanSpace &m_space;
    const PlanState &m_to;
    Kind m_sum;
    std::vector<Kind> m_shards;
    std::vector<Kind> m_partials;
    std::vector<Node> m_nodes;
    std::priority_queue<Entry> m_queue;
    std::unordered_set<PlanState, PlanStateHash> m_visited;
};

} // namespace

std::optional<Plan> planSearch(PlanSpace &space, const PlanState &from, const PlanState &to)
{
    return UpstreamSearch(space, from, to).run();
}

} // namespace pipescope::shard

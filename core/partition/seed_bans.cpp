#include "partition/seed_bans.h"

#include "ops/operator.h"

#include <algorithm>
#include <fmt/format.h>
#include <optional>

namespace pipescope::partition {

namespace {

using graph::ModelGraph;
using graph::Node;

/// A seed that may still be in effect.
struct Seed
{
    NodeId node;
    int position = 0;
};

bool isGivenGenerator(const ModelGraph &graph, const Node &node)
{
    return std::any_of(node.operands.begin(), node.operands.end(),
                       [&](ValueId id) { return id.valid() && graph.value(id).type == "Generator"; });
}

bool seeds(const Node &node)
{
    return ops::of(node).role == ops::Role::Seeds;
}

class SeedWalk
{
public:
    explicit SeedWalk(const ModelGraph &graph)
        : m_graph(graph)
    {
    }

    std::vector<SeedBan> run()
    {
        for (int position = 0; position < m_graph.size(); ++position)
            visit(m_graph.at(position), position);
        return std::move(m_bans);
    }

private:
    void visit(const Node &node, int position)
    {
        if (!node.random)
            return;
        for (const NodeId child : node.children)
            visit(m_graph.node(child), position);
        if (!node.children.empty() || isGivenGenerator(m_graph, node))
            return;
        if (!seeds(node)) {
            if (m_earliest && m_earliest->position < position)
                m_bans.push_back({m_earliest->position + 1, position, m_earliest->node, node.id});
        } else if (!node.parent.valid() || !m_earliest) {
            m_earliest = Seed{node.id, position};
        }
    }

    const ModelGraph &m_graph;
    std::optional<Seed> m_earliest;
    std::vector<SeedBan> m_bans;
};

} // namespace

std::vector<SeedBan> seedBans(const ModelGraph &graph)
{
    return SeedWalk(graph).run();
}

std::string reasonOf(const SeedBan &ban, const ModelGraph &graph)
{
    return fmt::format(
        "{} seeds the random numbers before the cut that {} draws after it; stages in processes of their "
        "own share no generator, so both belong to one stage",
        graph::describe(graph.node(ban.seeds)), graph::describe(graph.node(ban.draws)));
}

} // namespace pipescope::partition

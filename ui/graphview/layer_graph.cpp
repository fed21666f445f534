#include "graphview/layer_graph.h"

#include <algorithm>
#include <numeric>
#include <tuple>

namespace pipescope::graphview {

namespace {

bool pointsDown(const LayoutEdge &edge, int nodes)
{
    return edge.from >= 0 && edge.from < edge.to && edge.to < nodes;
}

std::vector<int> longestPaths(const LayeredInput &input, const std::vector<int> &byFrom)
{
    const int count = static_cast<int>(input.nodes.size());
    std::vector<int> rows(input.nodes.size(), 0);
    if (input.edges.empty()) { // no wire is known: one below another, in program order
        std::iota(rows.begin(), rows.end(), 0);
        return rows;
    }
    std::vector<char> hasInput(input.nodes.size(), 0);
    const bool ports = std::any_of(input.nodes.begin(), input.nodes.end(),
                                   [](const LayoutNode &node) { return node.pin == Pin::Top; });
    for (std::size_t i = 0; i < rows.size(); ++i)
        rows[i] = ports && input.nodes[i].pin != Pin::Top ? 1 : 0;
    // Edges lead to later nodes only, so those into a node are all seen before those out of it.
    std::vector<int> firstUse(input.nodes.size(), -1);
    for (const int index : byFrom) {
        const LayoutEdge &edge = input.edges[static_cast<std::size_t>(index)];
        if (!pointsDown(edge, count))
            continue;
        const auto to = static_cast<std::size_t>(edge.to);
        rows[to] = std::max(rows[to], rows[static_cast<std::size_t>(edge.from)] + 1);
        hasInput[to] = 1;
    }
    for (const LayoutEdge &edge : input.edges) {
        if (!pointsDown(edge, count))
            continue;
        int &use = firstUse[static_cast<std::size_t>(edge.from)];
        const int row = rows[static_cast<std::size_t>(edge.to)];
        use = use < 0 ? row : std::min(use, row);
    }
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (hasInput[i] || input.nodes[i].pin != Pin::Free)
            continue;
        if (firstUse[i] >= 0)
            rows[i] = std::max(rows[i], firstUse[i] - 1);
        else if (i > 0 && input.nodes[i - 1].pin == Pin::Free) // tied to nothing: beside what ran before it
            rows[i] = std::max(rows[i], rows[i - 1]);
    }
    const int last = rows.empty() ? 0 : *std::max_element(rows.begin(), rows.end());
    bool freeInLast = false;
    for (std::size_t i = 0; i < rows.size(); ++i)
        freeInLast = freeInLast || (rows[i] == last && input.nodes[i].pin != Pin::Bottom);
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (input.nodes[i].pin == Pin::Bottom)
            rows[i] = freeInLast ? last + 1 : last;
    }
    return rows;
}

// Several edges from one place of a node, in the order of their ends' rows, share one chain of dummies.
class Chains
{
public:
    Chains(const LayeredInput &input, LayerGraph &graph)
        : m_input(input)
        , m_graph(graph)
    {
    }

    void add(std::size_t index)
    {
        const LayoutEdge &edge = m_input.edges[index];
        if (edge.from != m_from || edge.fromX != m_fromX) {
            m_from = edge.from;
            m_fromX = edge.fromX;
            m_chain.clear();
        }
        const int top = m_graph.rowOf[static_cast<std::size_t>(edge.from)];
        const int bottom = m_graph.rowOf[static_cast<std::size_t>(edge.to)];
        const auto between = static_cast<std::size_t>(bottom - top - 1);
        while (m_chain.size() < between) {
            const int row = top + 1 + static_cast<int>(m_chain.size());
            const int dummy = m_graph.size();
            m_graph.rowOf.push_back(row);
            m_graph.widths.push_back(0);
            m_graph.links.push_back(linkTo(dummy, 0));
            m_chain.push_back(dummy);
        }
        m_graph.passes[index].assign(m_chain.begin(), m_chain.begin() + static_cast<std::ptrdiff_t>(between));
        LayerGraph::Link last{edge.from, edge.to, edge.fromX, edge.toX};
        if (between > 0) {
            last.upper = m_chain[between - 1];
            last.upperX = 0;
        }
        m_graph.links.push_back(last);
        m_graph.drawn[index] = 1;
    }

private:
    [[nodiscard]] LayerGraph::Link linkTo(int lower, double lowerX) const
    {
        return m_chain.empty() ? LayerGraph::Link{m_from, lower, m_fromX, lowerX}
                               : LayerGraph::Link{m_chain.back(), lower, 0, lowerX};
    }

    const LayeredInput &m_input;
    LayerGraph &m_graph;
    int m_from = -1;
    double m_fromX = 0;
    std::vector<int> m_chain;
};

// Real nodes in program order; a dummy begins to the right of what its edge comes from, where the sweeps find it.
void fillRows(LayerGraph &graph)
{
    const int last = graph.rowOf.empty() ? -1 : *std::max_element(graph.rowOf.begin(), graph.rowOf.end());
    graph.rows.assign(static_cast<std::size_t>(last + 1), {});
    for (int vertex = 0; vertex < graph.size(); ++vertex)
        graph.rows[static_cast<std::size_t>(graph.rowOf[static_cast<std::size_t>(vertex)])].push_back(vertex);
}

} // namespace

void LayerGraph::index()
{
    const auto fill = [this](std::vector<Neighbour> &all, std::vector<int> &start, auto self, auto other) {
        start.assign(rowOf.size() + 1, 0);
        for (const Link &link : links)
            ++start[static_cast<std::size_t>(self(link)) + 1];
        std::partial_sum(start.begin(), start.end(), start.begin());
        std::vector<int> next(start.begin(), start.end() - 1);
        all.resize(links.size());
        for (const Link &link : links)
            all[static_cast<std::size_t>(next[static_cast<std::size_t>(self(link))]++)] = other(link);
    };
    fill(
        m_above, m_aboveStart, [](const Link &link) { return link.lower; },
        [](const Link &link) {
            return Neighbour{link.upper, link.upperX - link.lowerX};
        });
    fill(
        m_below, m_belowStart, [](const Link &link) { return link.upper; },
        [](const Link &link) {
            return Neighbour{link.lower, link.lowerX - link.upperX};
        });
}

LayerGraph makeLayerGraph(const LayeredInput &input)
{
    LayerGraph graph;
    graph.realCount = static_cast<int>(input.nodes.size());
    for (const LayoutNode &node : input.nodes)
        graph.widths.push_back(node.width);
    graph.passes.resize(input.edges.size());
    graph.drawn.assign(input.edges.size(), 0);

    std::vector<int> order(input.edges.size());
    std::iota(order.begin(), order.end(), 0);
    const auto edgeAt = [&](int index) -> const LayoutEdge & { return input.edges[static_cast<std::size_t>(index)]; };
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return edgeAt(a).from < edgeAt(b).from; });
    graph.rowOf = longestPaths(input, order);
    const auto rowTo = [&](int index) { return graph.rowOf[static_cast<std::size_t>(edgeAt(index).to)]; };
    std::erase_if(order, [&](int index) {
        const LayoutEdge &edge = edgeAt(index);
        return !pointsDown(edge, graph.realCount) ||
               rowTo(index) - graph.rowOf[static_cast<std::size_t>(edge.from)] > MaxSpan ||
               rowTo(index) <= graph.rowOf[static_cast<std::size_t>(edge.from)];
    });
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) {
        const LayoutEdge &left = edgeAt(a);
        const LayoutEdge &right = edgeAt(b);
        return std::tuple(left.from, left.fromX, rowTo(a)) < std::tuple(right.from, right.fromX, rowTo(b));
    });
    Chains chains(input, graph);
    for (const int index : order)
        chains.add(static_cast<std::size_t>(index));
    fillRows(graph);
    graph.index();
    return graph;
}

} // namespace pipescope::graphview

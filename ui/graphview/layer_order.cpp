#include "graphview/layer_graph.h"

#include <algorithm>

namespace pipescope::graphview {

namespace {

constexpr int OrderSweeps = 8;

using Positions = std::vector<double>; // by vertex: place in its row

Positions positionsOf(const LayerGraph &graph)
{
    Positions positions(graph.rowOf.size(), 0);
    for (const std::vector<int> &row : graph.rows) {
        for (std::size_t i = 0; i < row.size(); ++i)
            positions[static_cast<std::size_t>(row[i])] = static_cast<double>(i);
    }
    return positions;
}

// Sorts a row by the mean place of each vertex's neighbours; one without any keeps its place.
void sortRow(std::vector<int> &row, Positions &positions, std::vector<double> &wanted, auto neighbours)
{
    if (row.size() < 2)
        return;
    for (const int vertex : row) {
        const auto near = neighbours(vertex);
        double sum = 0;
        for (const LayerGraph::Neighbour &neighbour : near)
            sum += positions[static_cast<std::size_t>(neighbour.vertex)];
        wanted[static_cast<std::size_t>(vertex)] =
            near.empty() ? positions[static_cast<std::size_t>(vertex)] : sum / static_cast<double>(near.size());
    }
    std::stable_sort(row.begin(), row.end(), [&](int a, int b) {
        return wanted[static_cast<std::size_t>(a)] < wanted[static_cast<std::size_t>(b)];
    });
    for (std::size_t i = 0; i < row.size(); ++i)
        positions[static_cast<std::size_t>(row[i])] = static_cast<double>(i);
}

// Counts inversions of the lower ends, links sorted by their upper ends: Barth, Juenger, Mutzel, "Simple and efficient
// bilayer cross counting", 2002.
class CrossCounter
{
public:
    long long between(const std::vector<int> &upper, const LayerGraph &graph, const Positions &positions)
    {
        m_ends.clear();
        int most = 0;
        for (const int vertex : upper) {
            const std::size_t first = m_ends.size();
            for (const LayerGraph::Neighbour &neighbour : graph.below(vertex)) {
                m_ends.push_back(static_cast<int>(positions[static_cast<std::size_t>(neighbour.vertex)]));
                most = std::max(most, m_ends.back());
            }
            std::sort(m_ends.begin() + static_cast<std::ptrdiff_t>(first), m_ends.end());
        }
        m_tree.assign(static_cast<std::size_t>(most) + 2, 0);
        long long count = 0;
        for (std::size_t seen = 0; seen < m_ends.size(); ++seen)
            count += static_cast<long long>(seen) - addAndCountUpTo(m_ends[seen]);
        return count;
    }

private:
    // How many of those seen end at `end` or left of it; then adds it.
    long long addAndCountUpTo(int end)
    {
        long long count = 0;
        for (int i = end + 1; i > 0; i -= i & -i)
            count += m_tree[static_cast<std::size_t>(i)];
        for (std::size_t i = static_cast<std::size_t>(end) + 1; i < m_tree.size(); i += i & (~i + 1))
            ++m_tree[i];
        return count;
    }

    std::vector<int> m_ends;
    std::vector<long long> m_tree;
};

} // namespace

long long crossings(const LayerGraph &graph)
{
    const Positions positions = positionsOf(graph);
    CrossCounter counter;
    long long count = 0;
    for (const std::vector<int> &row : graph.rows)
        count += counter.between(row, graph, positions);
    return count;
}

bool orderRows(LayerGraph &graph, const std::stop_token &stop)
{
    Positions positions = positionsOf(graph);
    std::vector<double> wanted(positions.size());
    std::vector<std::vector<int>> best = graph.rows;
    long long fewest = crossings(graph);
    for (int sweep = 0; sweep < OrderSweeps && fewest > 0; ++sweep) {
        if (stop.stop_requested())
            return false;
        if (sweep % 2 == 0) {
            for (std::vector<int> &row : graph.rows)
                sortRow(row, positions, wanted, [&](int vertex) { return graph.above(vertex); });
        } else {
            for (auto row = graph.rows.rbegin(); row != graph.rows.rend(); ++row)
                sortRow(*row, positions, wanted, [&](int vertex) { return graph.below(vertex); });
        }
        if (const long long count = crossings(graph); count < fewest) {
            fewest = count;
            best = graph.rows;
        }
    }
    graph.rows = std::move(best);
    return true;
}

} // namespace pipescope::graphview

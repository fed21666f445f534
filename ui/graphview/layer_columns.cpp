#include "graphview/layer_graph.h"

#include <algorithm>

namespace pipescope::graphview {

namespace {

constexpr int ColumnSweeps = 8;

// The nodes' own column should be straight whatever passes by, and what passes straight rather than near its ends. Ends
// of different kinds count so little that they decide only where there is nothing else; and where a node and an edge
// want one place, it is the edge that gives way.
double pull(const LayerGraph &graph, int vertex, int neighbour)
{
    const bool passes = graph.isDummy(vertex);
    if (passes == graph.isDummy(neighbour))
        return passes ? 0.1 : 8;
    return passes ? 0.002 : 0.001;
}

// Places a row's vertices as near as can be (least squares) to where they are wanted, in their order and apart: after
// taking off the least distances this is isotonic regression, solved by pooling neighbours that are out of order.
class RowFit
{
public:
    void fit(const std::vector<int> &row, const LayerGraph &graph, const Spacing &spacing,
             const std::vector<double> &wanted, const std::vector<double> &weight, std::vector<double> &x)
    {
        m_blocks.clear();
        m_offsets.clear();
        double offset = 0;
        for (std::size_t i = 0; i < row.size(); ++i) {
            if (i > 0)
                offset += apart(graph, spacing, row[i - 1], row[i]);
            m_offsets.push_back(offset);
            const auto vertex = static_cast<std::size_t>(row[i]);
            m_blocks.push_back({weight[vertex], weight[vertex] * (wanted[vertex] - offset), 1});
            while (m_blocks.size() > 1 && m_blocks[m_blocks.size() - 2].mean() > m_blocks.back().mean()) {
                const Block last = m_blocks.back();
                m_blocks.pop_back();
                m_blocks.back().weight += last.weight;
                m_blocks.back().sum += last.sum;
                m_blocks.back().count += last.count;
            }
        }
        std::size_t i = 0;
        for (const Block &block : m_blocks) {
            for (int k = 0; k < block.count; ++k, ++i)
                x[static_cast<std::size_t>(row[i])] = block.mean() + m_offsets[i];
        }
    }

private:
    struct Block
    {
        double weight;
        double sum;
        int count;
        [[nodiscard]] double mean() const { return sum / weight; }
    };

    static double apart(const LayerGraph &graph, const Spacing &spacing, int left, int right)
    {
        const bool passes = graph.isDummy(left) || graph.isDummy(right);
        return (graph.widths[static_cast<std::size_t>(left)] + graph.widths[static_cast<std::size_t>(right)]) / 2 +
               (passes ? spacing.edge : spacing.node);
    }

    std::vector<Block> m_blocks;
    std::vector<double> m_offsets;
};

enum class Side { Up, Down, Both };

class Columns
{
public:
    Columns(const LayerGraph &graph, const Spacing &spacing)
        : m_graph(graph)
        , m_spacing(spacing)
        , m_x(graph.rowOf.size(), 0)
        , m_wanted(graph.rowOf.size(), 0)
        , m_weight(graph.rowOf.size(), 1)
    {
        for (const std::vector<int> &row : graph.rows)
            m_fit.fit(row, graph, spacing, m_wanted, m_weight, m_x);
    }

    void place(const std::vector<int> &row, Side side)
    {
        for (const int vertex : row) {
            double weight = 0;
            double sum = 0;
            const auto count = [&](std::span<const LayerGraph::Neighbour> neighbours) {
                for (const LayerGraph::Neighbour &neighbour : neighbours) {
                    const double strength = pull(m_graph, vertex, neighbour.vertex);
                    weight += strength;
                    sum += strength * (m_x[static_cast<std::size_t>(neighbour.vertex)] + neighbour.offset);
                }
            };
            if (side != Side::Down)
                count(m_graph.above(vertex));
            if (side != Side::Up)
                count(m_graph.below(vertex));
            const auto at = static_cast<std::size_t>(vertex);
            m_wanted[at] = weight > 0 ? sum / weight : m_x[at];
            m_weight[at] = weight > 0 ? weight : 0.01;
        }
        m_fit.fit(row, m_graph, m_spacing, m_wanted, m_weight, m_x);
    }

    std::vector<double> take() { return std::move(m_x); }

private:
    const LayerGraph &m_graph;
    const Spacing &m_spacing;
    RowFit m_fit;
    std::vector<double> m_x;
    std::vector<double> m_wanted;
    std::vector<double> m_weight;
};

} // namespace

std::vector<double> placeColumns(const LayerGraph &graph, const Spacing &spacing, const std::stop_token &stop)
{
    Columns columns(graph, spacing);
    for (int sweep = 0; sweep < ColumnSweeps; ++sweep) {
        if (stop.stop_requested())
            return {};
        const Side side = sweep + 2 >= ColumnSweeps ? Side::Both : sweep % 2 == 0 ? Side::Up : Side::Down;
        if (sweep % 2 == 0) {
            for (const std::vector<int> &row : graph.rows)
                columns.place(row, side);
        } else {
            for (auto row = graph.rows.rbegin(); row != graph.rows.rend(); ++row)
                columns.place(*row, side);
        }
    }
    return columns.take();
}

} // namespace pipescope::graphview

#include "graphview/layered_layout.h"

#include "graphview/layer_graph.h"

#include <algorithm>
#include <cmath>

namespace pipescope::graphview {

namespace {

struct RowSpan
{
    double top = 0;
    double bottom = 0;
};

std::vector<RowSpan> rowSpans(const LayeredInput &input, const LayerGraph &graph)
{
    std::vector<RowSpan> spans(graph.rows.size());
    double y = 0;
    for (std::size_t row = 0; row < spans.size(); ++row) {
        double height = 0;
        for (const int vertex : graph.rows[row]) {
            if (!graph.isDummy(vertex))
                height = std::max(height, input.nodes[static_cast<std::size_t>(vertex)].height);
        }
        spans[row] = {y, y + height};
        y += height + input.spacing.row;
    }
    return spans;
}

// Points on one vertical line say nothing but its two ends.
void addPoint(std::vector<Point> &line, Point point)
{
    if (!line.empty() && line.back() == point)
        return;
    const std::size_t count = line.size();
    if (count >= 2 && line[count - 1].x == point.x && line[count - 2].x == point.x)
        line.back() = point;
    else
        line.push_back(point);
}

// Down to the row's edge before anything slanted, so that an edge crosses no box of its own row.
std::vector<Point> edgeLine(const LayeredInput &input, const LayerGraph &graph, const std::vector<RowSpan> &spans,
                            const std::vector<double> &x, const LayeredOutput &out, std::size_t index)
{
    const LayoutEdge &edge = input.edges[index];
    const auto from = static_cast<std::size_t>(edge.from);
    const auto to = static_cast<std::size_t>(edge.to);
    const auto rowOf = [&](std::size_t vertex) { return static_cast<std::size_t>(graph.rowOf[vertex]); };
    std::vector<Point> line;
    const double fromX = x[from] + edge.fromX;
    addPoint(line, {fromX, out.nodes[from].y + input.nodes[from].height});
    addPoint(line, {fromX, spans[rowOf(from)].bottom});
    for (const int dummy : graph.passes[index]) {
        const auto at = static_cast<std::size_t>(dummy);
        addPoint(line, {x[at], spans[rowOf(at)].top});
        addPoint(line, {x[at], spans[rowOf(at)].bottom});
    }
    const double toX = x[to] + edge.toX;
    addPoint(line, {toX, spans[rowOf(to)].top});
    addPoint(line, {toX, out.nodes[to].y});
    return line;
}

} // namespace

std::optional<LayeredOutput> layOutLayers(const LayeredInput &input, const std::stop_token &stop)
{
    LayerGraph graph = makeLayerGraph(input);
    if (stop.stop_requested() || !orderRows(graph, stop))
        return std::nullopt;
    std::vector<double> x = placeColumns(graph, input.spacing, stop);
    if (stop.stop_requested())
        return std::nullopt;

    double left = 0;
    double right = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        x[i] = std::round(x[i] * 2) / 2; // halves of a pixel: what was meant to be straight is
        left = i == 0 ? x[i] - graph.widths[i] / 2 : std::min(left, x[i] - graph.widths[i] / 2);
    }
    left = std::floor(left);
    for (std::size_t i = 0; i < x.size(); ++i) {
        x[i] -= left;
        right = std::max(right, x[i] + graph.widths[i] / 2);
    }
    const std::vector<RowSpan> spans = rowSpans(input, graph);
    LayeredOutput out;
    out.width = right;
    out.height = spans.empty() ? 0 : spans.back().bottom;
    out.rows.assign(graph.rowOf.begin(), graph.rowOf.begin() + graph.realCount);
    for (std::size_t i = 0; i < input.nodes.size(); ++i) {
        // One that grows downwards as it is opened leaves those beside it where they are.
        const RowSpan &row = spans[static_cast<std::size_t>(graph.rowOf[i])];
        const double line = std::min(row.bottom - row.top, input.spacing.line);
        out.nodes.push_back(
            {x[i] - input.nodes[i].width / 2, row.top + std::max(0.0, (line - input.nodes[i].height) / 2)});
    }
    out.edges.resize(input.edges.size());
    for (std::size_t i = 0; i < input.edges.size(); ++i) {
        if (graph.drawn[i])
            out.edges[i] = edgeLine(input, graph, spans, x, out, i);
    }
    return out;
}

} // namespace pipescope::graphview

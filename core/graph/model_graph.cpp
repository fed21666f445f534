#include "graph/model_graph.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace pipescope::graph {

std::string toText(const TensorMeta &meta)
{
    return fmt::format("{}[{}]", meta.dtype, fmt::join(meta.sizes, ", "));
}

std::int64_t elements(const TensorMeta &meta)
{
    std::int64_t count = 1;
    for (const std::int64_t size : meta.sizes)
        count *= std::max<std::int64_t>(size, 0);
    return count;
}

std::string describe(const Node &node)
{
    std::string text = node.name;
    if (!node.source.file.empty())
        text += fmt::format(" ({}:{})", node.source.file, node.source.line);
    return text;
}

int positionOf(const ModelGraph &graph, NodeId node)
{
    if (!node.valid())
        return -1;
    while (graph.node(node).parent.valid())
        node = graph.node(node).parent;
    const auto found = std::find(graph.order.begin(), graph.order.end(), node);
    return found == graph.order.end() ? -1 : static_cast<int>(found - graph.order.begin());
}

} // namespace pipescope::graph

#include "partition/few_places.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>

namespace pipescope::partition {

namespace {

using graph::ModelGraph;

struct Part
{
    int begin = 0; // positions
    int end = 0;
    std::size_t nodes = 0; // those inside others included
};

std::size_t countWithInner(const ModelGraph &graph, NodeId top)
{
    std::size_t count = 0;
    std::vector<NodeId> open{top};
    while (!open.empty()) {
        const graph::Node &node = graph.node(open.back());
        open.pop_back();
        open.insert(open.end(), node.children.begin(), node.children.end());
        ++count;
    }
    return count;
}

Part longestPart(const ModelGraph &graph, const std::vector<Cut> &cuts)
{
    Part longest;
    Part part;
    for (int position = 0; position < graph.size(); ++position) {
        if (position > 0 && cuts[static_cast<std::size_t>(position) - 1].legal)
            part = {position, position, 0};
        part.end = position + 1;
        part.nodes += countWithInner(graph, graph.at(position).id);
        if (part.nodes > longest.nodes)
            longest = part;
    }
    return longest;
}

std::string operators(std::size_t count)
{
    return fmt::format("{} operator{}", count, count == 1 ? "" : "s");
}

// The reason that most of the places between nodes of the part have in common.
std::string commonReason(const Part &part, const std::vector<Cut> &cuts)
{
    std::map<std::string, int> counts;
    for (int position = part.begin + 1; position < part.end; ++position)
        ++counts[cuts[static_cast<std::size_t>(position) - 1].reason];
    const auto most = std::max_element(counts.begin(), counts.end(),
                                       [](const auto &a, const auto &b) { return a.second < b.second; });
    const int places = part.end - part.begin - 1;
    return most->second == places ? most->first
                                  : fmt::format("{} (and so for {} of {} places)", most->first, most->second, places);
}

} // namespace

std::string whyFewPlaces(const ModelGraph &graph, const std::vector<Cut> &cuts)
{
    const Part part = longestPart(graph, cuts);
    if (part.nodes == 0)
        return {};
    const graph::Node &first = graph.at(part.begin);
    if (part.end - part.begin > 1)
        return fmt::format("between {} and {} ({} of {}) there is none: {}", graph::describe(first),
                           graph::describe(graph.at(part.end - 1)), part.nodes, operators(graph.nodes.size()),
                           commonReason(part, cuts));
    if (part.nodes > 1)
        return fmt::format("{} runs as one piece, with {} inside", graph::describe(first), operators(part.nodes - 1));
    return fmt::format("the model has {} in all", operators(graph.nodes.size()));
}

} // namespace pipescope::partition

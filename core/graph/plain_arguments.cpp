#include "graph/plain_arguments.h"

#include <algorithm>
#include <iterator>

namespace pipescope::graph {

std::vector<Argument> plainArguments(const ModelGraph &graph)
{
    std::vector<Argument> plain;
    std::copy_if(
        graph.arguments.begin(), graph.arguments.end(), std::back_inserter(plain),
        [&](const Argument &argument) { return argument.value.valid() && !graph.value(argument.value).holdsTensors; });
    return plain;
}

bool hasBranches(const ModelGraph &graph)
{
    return std::any_of(graph.nodes.begin(), graph.nodes.end(), [](const Node &node) { return !node.children.empty(); });
}

} // namespace pipescope::graph

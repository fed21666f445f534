// What the tests of cuts ask of a graph.
#pragma once

#include "partition/cut.h"

#include <string>

namespace pipescope::tests {

/// "1 legal, 2 legal" as "++", refused ones as "-".
inline std::string legality(const graph::ModelGraph &graph)
{
    std::string text;
    for (const partition::Cut &cut : partition::allCuts(graph))
        text += cut.legal ? '+' : '-';
    return text;
}

/// Why the cut at the position is refused; "" where it is legal.
inline std::string reasonAt(const graph::ModelGraph &graph, int position)
{
    return partition::allCuts(graph).at(static_cast<std::size_t>(position) - 1).reason;
}

} // namespace pipescope::tests

// Where random numbers would lose the seed that the model itself gives them: a stage that runs in a process of its own
// does not share the generator of another one. Private to partition/.
#pragma once

#include "graph/model_graph.h"

#include <string>
#include <vector>

namespace pipescope::partition {

/// No cut before order[first] up to order[last]: `seeds` is before it, and sets the process's generator; `draws` is
/// after it, and draws from that with no other seed between them that is certain to be set.
struct SeedBan
{
    int first = 0;
    int last = 0;
    NodeId seeds;
    NodeId draws;

    friend bool operator==(const SeedBan &, const SeedBan &) = default;
};

/// By the place of what draws. Nodes inside an if or a loop count for it: what one of them seeds may be seeded or not.
/// Numbers drawn from a generator that the node is given are none of these.
[[nodiscard]] std::vector<SeedBan> seedBans(const graph::ModelGraph &graph);

/// Why there can be no cut, as a sentence.
[[nodiscard]] std::string reasonOf(const SeedBan &ban, const graph::ModelGraph &graph);

} // namespace pipescope::partition

// Costs per node summed up per module. Private to engine/.
#pragma once

#include "engine/inspect_job.h"

#include <vector>

namespace pipescope::engine {

/// By index into graph.modules; a module's cost includes its children's.
[[nodiscard]] std::vector<report::ModuleCost> moduleCosts(const graph::ModelGraph &graph);

/// How often each operator stands in the graph, code inside ifs and loops included; most used first, then by name.
[[nodiscard]] std::vector<std::pair<std::string, int>> countOperators(const graph::ModelGraph &graph);

} // namespace pipescope::engine

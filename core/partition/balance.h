// Cutting a chain of costs into N parts with the smallest largest part.
#pragma once

#include "base/result.h"
#include "graph/model_graph.h"

#include <vector>

namespace pipescope::partition {

/// Chooses `stages` - 1 of the `allowed` positions (ascending, each in (0, costs.size())) so that the largest sum of
/// costs of a part is smallest; among those, the most even (smallest sum of squares), then the latest cuts (earlier
/// parts get more). No part is empty. Costs are non-negative, in any one unit; if all are zero, nodes are counted. Sums
/// are compared to 52 bits of the total. Time is O(stages * allowed * log(allowed)), by divide and conquer over the
/// Monge cost. 5 equal layers in 4 give loads 2,1,1,1; 38 in 8 give 5,5,5,5,5,5,4,4. Error: InvalidArgument when stages
/// < 1, when there are too few allowed positions (saying how many stages are possible), and for a cost that is negative
/// or not finite.
Result<std::vector<int>> balance(const std::vector<double> &costs, const std::vector<int> &allowed, int stages);

/// balance() over a graph's legal cuts: measured seconds per node where the graph was profiled; else FLOPs where any
/// are known; else one for each node plus the bytes of the parameters it uses.
Result<std::vector<int>> balanceStages(const graph::ModelGraph &graph, int stages);

} // namespace pipescope::partition

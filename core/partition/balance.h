// Cutting a chain of costs into N parts with the smallest largest part; of a graph, with little to send between them.
#pragma once

#include "base/result.h"
#include "graph/model_graph.h"

#include <vector>

namespace pipescope::partition {

/// Chooses `stages` - 1 of the `allowed` positions (ascending, each in (0, costs.size())) so that the largest sum of
/// costs of a part is smallest; among those, the most even (smallest sum of squares), then the latest cuts (earlier
/// parts get more). No part is empty. Costs are non-negative, in any one unit; if all are zero, nodes are counted. Sums
/// are compared to 52 bits of the total. Time is O(stages * allowed * log²(allowed)) at the worst. 5 equal layers in 4
/// give loads 2,1,1,1; 38 in 8 give 5,5,5,5,5,5,4,4. Error: InvalidArgument when stages < 1, when there are too few
/// allowed positions (saying how many stages are possible), and for a cost that is negative or not finite.
Result<std::vector<int>> balance(const std::vector<double> &costs, const std::vector<int> &allowed, int stages);

/// How much slower than the best one the slowest stage may be for less to be sent: what is measured is no more exact.
constexpr int balanceTolerancePercent = 2;

/// How much lighter than it could be the lightest stage may be for less to be sent. It is not waited for, so this is
/// wide; but where one node takes most of the time, nearly all partitions are within balanceTolerancePercent, and what
/// is cheap to send is then found around nodes that do nothing.
constexpr int lightestTolerancePercent = 10;

/// Chooses among a graph's legal cuts. Costs are measured seconds per node where the graph was profiled; else FLOPs
/// where any are known; else one for each node plus the bytes of the parameters and of the constants of the code that
/// it uses. Of all partitions whose slowest stage is within balanceTolerancePercent of the best, and whose lightest is
/// within lightestTolerancePercent of what it can be then, exactly
/// - the one that sends the fewest bytes: each result of a stage once to each later stage that uses it; where the bytes
///   of some are not known, tensors are counted;
/// - among those, the one whose cuts go through the fewest module calls, a call counting for each cut through it;
/// - among those, the most even, then the one that is cut latest, the last cut first.
/// Time is O(stages * (nodes + uses) * log²(nodes)) at the worst. Errors as of balance(); where there are too few cuts,
/// with what keeps the longest part of the graph in one piece.
Result<std::vector<int>> balanceStages(const graph::ModelGraph &graph, int stages);

} // namespace pipescope::partition

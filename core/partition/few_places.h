// Why a graph has so few places to cut at.
#pragma once

#include "partition/cut.h"

#include <string>

namespace pipescope::partition {

/// Of the longest part of the graph without a legal cut, by nodes, those inside ifs and loops included: the node that
/// it is, or the reason that rules out most of the places in it, with how many. A clause without a capital; "" for a
/// graph without nodes. `cuts` are all of the graph's.
[[nodiscard]] std::string whyFewPlaces(const graph::ModelGraph &graph, const std::vector<Cut> &cuts);

} // namespace pipescope::partition

// For each stage where its inputs come from and where its outputs go. Plain values, worked out once per partition.
#pragma once

#include "base/result.h"
#include "graph/model_graph.h"

#include <string>
#include <vector>

namespace pipescope::runtime {

/// What a stage takes and gives, in the order its program has them.
struct StageEnds
{
    std::vector<ValueId> inputs;
    std::vector<ValueId> outputs;
};

struct Inlet
{
    ValueId value;
    std::string name;
    int argument = -1; ///< position among the method's arguments; -1: a value from another stage
    StageId from;      ///< invalid for an argument

    friend bool operator==(const Inlet &, const Inlet &) = default;
};

struct Outlet
{
    ValueId value;
    std::string name;
    std::vector<StageId> consumers; ///< ascending; any later stages, not only the next
    std::vector<int> returnedAs;    ///< positions among the method's outputs

    friend bool operator==(const Outlet &, const Outlet &) = default;
};

struct StageRoute
{
    std::vector<Inlet> inlets;   ///< as StageEnds::inputs
    std::vector<Outlet> outlets; ///< as StageEnds::outputs

    friend bool operator==(const StageRoute &, const StageRoute &) = default;
};

/// By stage. Error: InvalidArgument naming stage and value where a stage takes what no earlier stage gives.
Result<std::vector<StageRoute>> makeStageRoutes(const graph::ModelGraph &graph, const std::vector<StageEnds> &stages);

} // namespace pipescope::runtime

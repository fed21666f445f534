// What goes with the selection: the part of the program that is selected, the stages that run it, and the values that
// are handed over. Every view shows it with these, so that all show the same.
#pragma once

#include "graph/model_graph.h"
#include "partition/partition.h"
#include "session/selection.h"

#include <string>
#include <vector>

namespace pipescope::session {

/// order[begin, end) of a graph.
struct OrderRange
{
    int begin = 0;
    int end = 0;

    [[nodiscard]] bool isEmpty() const { return begin >= end; }
    friend bool operator==(const OrderRange &, const OrderRange &) = default;
};

/// The call of a module, or its first where it has none of that number; nullptr for a module that is never called.
[[nodiscard]] const graph::ModuleCall *callOf(const graph::ModelGraph &graph, const SelectedModule &module);

/// What of the order a call runs; of one inside of an if or a loop, that whole node.
[[nodiscard]] OrderRange orderOf(const graph::ModelGraph &graph, const graph::ModuleCall &call);

/// The node, the module's call, the node that makes the value, the nodes of the stage or of the action's stage. Empty
/// for all else, and for what the graph does not have. `stageOf` is partition::Partition's.
[[nodiscard]] OrderRange orderOf(const Selected &selected, const graph::ModelGraph &graph,
                                 const std::vector<StageId> &stageOf);

/// What a run does of it.
struct Related
{
    std::vector<StageId> stages;     ///< ascending; all of their actions
    std::vector<std::string> values; ///< names, ascending; their sends and receives
    /// Of those only what goes from a stage before this one to it or beyond; invalid: all.
    StageId behind;

    [[nodiscard]] bool isEmpty() const { return stages.empty() && values.empty(); }
    friend bool operator==(const Related &, const Related &) = default;
};

/// A node's, module's or parameter's stages, the values that cross a split, a value's own transfers. Empty for an
/// action, a rank and a span, which the timeline itself shows, and for a place where the partition has no split.
[[nodiscard]] Related relatedTo(const Selected &selected, const graph::ModelGraph &graph,
                                const partition::Partition &partition);

/// The same for a run of which no model is known: a stage is one by its number.
[[nodiscard]] Related relatedTo(const Selected &selected);

} // namespace pipescope::session

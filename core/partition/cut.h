// Where a model can be cut in two, why not elsewhere, and what would have to be sent at each place. Pure graph
// questions.
#pragma once

#include "graph/model_graph.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace pipescope::partition {

/// The cut before order[position] of a graph: 0 < position < order.size().
struct Cut
{
    int position = 0;
    bool legal = true;
    std::string reason; ///< why not, as a sentence naming node, FQN and value; empty when legal
    /// What one stage sends another here: results made before and used after the cut, ascending by id. Arguments do not
    /// cross (a stage that uses one takes it from the caller), nor do constants and parameters (each stage holds its
    /// own).
    std::vector<ValueId> crossing;

    friend bool operator==(const Cut &, const Cut &) = default;
};

/// Every cut of the graph, in order: cuts[i].position == i + 1. Time and memory are linear in nodes plus crossings.
/// A cut is refused when
/// - a value that crosses, or an argument used after the cut, cannot be sent (future, module, custom object);
/// - a crossing value, or one that by then may share memory with it (views, containers), is written in place after the
///   cut: the stage before would see that or not depending on the device;
/// - memory that outlives one call's results (a parameter, buffer, attribute, constant or argument) is written in place
///   and used on both sides: state belongs to one stage;
/// - a list or dict that is no state, an argument's or made in the call, is changed in place on one side and used on
///   the other by a second name, or crosses in another list, dict or object;
/// - an attribute that the model assigns (`self.x = ...`) is read or assigned on both sides, for the same reason;
/// - the model seeds the process's random numbers before the cut and draws some after it: stages share no generator.
/// A returned value that is made before the cut needs no sending: the run collects it from its stage.
[[nodiscard]] std::vector<Cut> allCuts(const graph::ModelGraph &graph);

/// Bytes of all tensors a cut sends, where profiling has measured every one of them; nullopt otherwise.
[[nodiscard]] std::optional<std::int64_t> crossingBytes(const graph::ModelGraph &graph, const Cut &cut);

} // namespace pipescope::partition

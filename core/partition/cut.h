// Where a model can be cut in two, why not elsewhere, and what would have to be sent at each place. Pure graph questions.
#pragma once

#include "graph/model_graph.h"

#include <string>
#include <vector>

namespace pipescope::partition {

/// The cut before order[position] of a graph: 0 < position < order.size().
struct Cut {
    int position = 0;
    bool legal = true;
    std::string reason;              ///< why not, as a sentence naming node, FQN and value; empty when legal
    std::vector<ValueId> crossing;   ///< results and inputs made before and used after; constants and parameters never cross

    friend bool operator==(const Cut &, const Cut &) = default;
};

/// Every cut of the graph, in order: cuts[i].position == i + 1. Time and memory are linear in nodes plus crossings.
/// A cut is refused when
/// - a value that would cross cannot be sent (future, module, custom object), named;
/// - memory that crosses, or that an argument or earlier value shares with something used before, is written in place after
///   the cut: the other side would see it or not depending on the device;
/// - a buffer, parameter or attribute that the model writes is used on both sides: state belongs to one stage.
/// A returned value that is made before the cut needs no sending: the run collects it from its stage.
[[nodiscard]] std::vector<Cut> allCuts(const graph::ModelGraph &graph);

/// Bytes of all tensors a cut sends, where profiling has measured every one of them; nullopt otherwise.
[[nodiscard]] std::optional<std::int64_t> crossingBytes(const graph::ModelGraph &graph, const Cut &cut);

} // namespace pipescope::partition

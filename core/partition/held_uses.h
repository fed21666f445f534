// Which stages use which of the tensors that the model holds: the one place that knows. What a stage owns, what its
// table says that it holds, and what no stage uses all follow from it.
#pragma once

#include "graph/held_tensors.h"

#include <cstdint>
#include <string>
#include <vector>

namespace pipescope::partition {

struct HeldUse
{
    graph::HeldTensor tensor;
    std::vector<StageId> stages; ///< that use it, ascending; none where the method does not
};

/// Of graph::heldTensors, in that order, for a stage of each position of the order. A stage uses a tensor where a node
/// of it does: takes it, or what holds it, or reads or assigns it by name. What the method returns as it is belongs to
/// the last stage.
[[nodiscard]] std::vector<HeldUse> heldUses(const graph::ModelGraph &graph, const std::vector<StageId> &stageOf);

/// Parameters and buffers that the method does not use, however it is split.
struct UnusedTensors
{
    std::vector<std::string> names; ///< FQNs, all of each tensor; sorted
    int tensors = 0;
    std::int64_t bytes = 0; ///< each tensor once

    friend bool operator==(const UnusedTensors &, const UnusedTensors &) = default;
};

[[nodiscard]] UnusedTensors unusedTensors(const graph::ModelGraph &graph);

} // namespace pipescope::partition

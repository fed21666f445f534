// The model's parameters and buffers by tensor: one entry for all the names that tied parameters have. Private to
// partition/.
#pragma once

#include "graph/model_graph.h"

#include <string>
#include <vector>

namespace pipescope::partition {

struct TensorGroup
{
    std::vector<std::string> names; ///< first name first
    ValueId value;                  ///< invalid when the method does not use the tensor
    bool isBuffer = false;
};

/// In the order of the first names in graph.parameters.
[[nodiscard]] std::vector<TensorGroup> tensorGroups(const graph::ModelGraph &graph);

} // namespace pipescope::partition

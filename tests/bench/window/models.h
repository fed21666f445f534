// Graphs the size of large models, made up, with measured costs and tensors on every value.
#pragma once

#include "graph/model_graph.h"

#include <memory>

namespace pipescope::bench {

enum class Modules { None, OfLayers };

/// A decoder: layers of 20 operators one after another; a mask and two rotary tables feed every layer.
[[nodiscard]] std::shared_ptr<const graph::ModelGraph> longModel(int operators, Modules modules);
/// `branches` chains side by side of the same input, wires between neighbours at every seventh operator.
[[nodiscard]] std::shared_ptr<const graph::ModelGraph> wideModel(int branches, int operatorsEach);
/// Stages of equal numbers of operators, as a canvas takes them.
[[nodiscard]] std::vector<StageId> equalStages(const graph::ModelGraph &graph, int stages);

} // namespace pipescope::bench

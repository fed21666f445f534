// What the picture of a graph says of one node or type. Private to import/.
#pragma once

#include "graph/model_graph.h"

#include <string>
#include <torch/csrc/jit/ir/ir.h>

namespace pipescope::import {

/// Whether values of the type can go from one rank to another. `depth` is that of the containers around it.
[[nodiscard]] graph::Crossing crossingOf(const c10::TypePtr &type, int depth = 0);

[[nodiscard]] bool holdsTensors(const c10::TypePtr &type);

/// In the author's code, where the archive tells; else in the archive's.
[[nodiscard]] graph::SourceLocation locationOf(const torch::jit::Node &node);

/// prim::Uninitialized gives nothing that could be sent; like a constant it is made wherever it is used.
[[nodiscard]] bool isConstant(const torch::jit::Node &node);

/// Whether the code that the node hands to another thread (torch.jit.fork) may draw random numbers, or seed them.
[[nodiscard]] bool forksRandom(const torch::jit::Node &node);

/// Whether a node takes the module whole (a call through an interface), and not for one attribute.
[[nodiscard]] bool isHandedOver(const torch::jit::Value &module);

/// A place that the author marked for a split.
[[nodiscard]] bool isMarker(const torch::jit::Node &node);
/// "" for one without a name.
[[nodiscard]] std::string markerName(const torch::jit::Node &node);

} // namespace pipescope::import

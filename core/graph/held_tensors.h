// The tensors that a method can use without being given them: the model's parameters and buffers, and tensors that are
// constants of the code (a traced model has those that its code took from around it). Which stage uses which is
// partition's to say.
#pragma once

#include "graph/model_graph.h"

#include <cstdint>
#include <string>
#include <vector>

namespace pipescope::graph {

enum class HeldKind { Parameter, Buffer, Constant };

/// One tensor under all its names; or a list, tuple or dict of tensors that is a constant, as one.
struct HeldTensor
{
    HeldKind kind = HeldKind::Parameter;
    std::vector<std::string> names; ///< FQNs, the first name first; of a constant the value's name
    std::vector<ValueId> values;    ///< by which the method takes it; none where it takes it by no value
    TensorMeta tensor;              ///< of a constant that is no single tensor, only the bytes
};

/// Parameters and buffers in the order of their first names in graph.parameters, then the constants in the order of
/// their first values. Constants without bytes are none.
[[nodiscard]] std::vector<HeldTensor> heldTensors(const ModelGraph &graph);

/// By value, the bytes of the parameters and constants that a node takes with it: what a node weighs where its cost is
/// not known. 0 for buffers and all else.
[[nodiscard]] std::vector<std::int64_t> weightBytes(const ModelGraph &graph);

/// As weightBytes, with the buffers.
[[nodiscard]] std::vector<std::int64_t> heldBytes(const ModelGraph &graph);

} // namespace pipescope::graph

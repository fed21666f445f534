// IValues as trees: tuples, named tuples, lists and dicts are inner nodes, everything else is a leaf. The order of
// leaves is torch.utils._pytree's: positions in order, dict entries in insertion order. No function goes deeper than 64
// levels: leaves() refuses what is deeper, for the others a container at that depth is a leaf.
#pragma once

#include "base/result.h"
#include "graph/model_graph.h"

#include <ATen/core/ivalue.h>
#include <cstddef>
#include <functional>
#include <set>
#include <string>
#include <vector>

namespace pipescope::tensor {

/// Levels of a tree; what makes or compares trees stops there too.
constexpr int TreeDepthLimit = 64;

/// Whether a value is an inner node (tuple, list, dict).
[[nodiscard]] bool isTree(const c10::IValue &value);

/// Not None's undefined tensor.
[[nodiscard]] bool isDefinedTensor(const c10::IValue &value);

/// Every leaf, left to right. Trees deeper than 64 levels are refused as InvalidArgument.
Result<std::vector<c10::IValue>> leaves(const c10::IValue &tree);

/// The same tree with each leaf replaced by `change(leaf)`. Typed lists and dicts keep their element type when the new
/// leaf still fits it.
[[nodiscard]] c10::IValue mapLeaves(const c10::IValue &tree,
                                    const std::function<c10::IValue(const c10::IValue &)> &change);

/// Where a value is inside a tree: its position at each level, dicts by their order.
using Places = std::vector<std::size_t>;

/// As mapLeaves, where the containers at `wholes` are leaves, too.
[[nodiscard]] c10::IValue mapParts(const c10::IValue &tree, const std::set<Places> &wholes,
                                   const std::function<c10::IValue(const c10::IValue &)> &change);

/// The path of what is at these places, which are in the tree: "[1]['boxes']".
[[nodiscard]] std::string pathOf(const c10::IValue &tree, const Places &places);

/// Paths of the leaves as users write them: "", "[0]", "[1]['mask']", in the order of leaves().
[[nodiscard]] std::vector<std::string> leafPaths(const c10::IValue &tree);

/// Every tensor in it, undefined ones left out. Looks into lists, tuples and dicts only.
[[nodiscard]] std::vector<at::Tensor> tensorsIn(const c10::IValue &tree);

/// Bytes of all tensors in it (numel * element size; views count as what they show).
[[nodiscard]] std::int64_t tensorBytes(const c10::IValue &tree);

/// "float32", "int64", ... and back; an undefined name gives nullopt.
[[nodiscard]] std::string dtypeName(at::ScalarType type);
[[nodiscard]] std::optional<at::ScalarType> dtypeFromName(std::string_view name);

[[nodiscard]] graph::TensorMeta describeTensor(const at::Tensor &tensor);

/// "Tensor(torch.Size([2, 4]), grad=False, dtype=torch.float32)" for tensors, short text for the rest: as upstream
/// prints arguments in its errors.
[[nodiscard]] std::string describeValue(const c10::IValue &value);

} // namespace pipescope::tensor

// Asks LibTorch about the operator of a node. LibTorch asserts if no operator takes the node's operands; these
// functions answer instead.
#pragma once

#include <optional>
#include <torch/csrc/jit/ir/ir.h>
#include <torch/csrc/jit/runtime/operator.h>

namespace pipescope::import {

/// The operator that takes the node's operands; nullptr where there is none.
[[nodiscard]] const torch::jit::Operator *operatorOf(const torch::jit::Node &node);

/// The schema of that operator; nullptr where there is none.
[[nodiscard]] const c10::FunctionSchema *schemaOf(const torch::jit::Node &node);

/// The alias analysis that the operator asks for; nullopt without an operator. CONSERVATIVE (anything may share memory)
/// where the operator contradicts itself.
[[nodiscard]] std::optional<c10::AliasAnalysisKind> aliasKindOf(const torch::jit::Node &node);

/// Whether the node has effects besides its results. True where LibTorch cannot tell.
[[nodiscard]] bool hasSideEffects(const torch::jit::Node &node);

/// Whether the node draws random numbers. True where LibTorch cannot tell.
[[nodiscard]] bool isNondeterministic(const torch::jit::Node &node);

} // namespace pipescope::import

// Questions to LibTorch about the operator of a node. LibTorch asserts where a node has none that takes its operands;
// here that is an answer.
#pragma once

#include <optional>
#include <torch/csrc/jit/ir/ir.h>
#include <torch/csrc/jit/runtime/operator.h>

namespace pipescope::import {

/// The operator that takes the node's operands; nullptr where there is none.
[[nodiscard]] const torch::jit::Operator *operatorOf(const torch::jit::Node &node);

/// Of that operator; nullptr likewise.
[[nodiscard]] const c10::FunctionSchema *schemaOf(const torch::jit::Node &node);

/// What that operator says of memory; nullopt without an operator. CONSERVATIVE, which is anything, where what it says
/// contradicts itself.
[[nodiscard]] std::optional<c10::AliasAnalysisKind> aliasKindOf(const torch::jit::Node &node);

/// Whether the node does more than give results. True where that cannot be told.
[[nodiscard]] bool hasSideEffects(const torch::jit::Node &node);

/// Whether LibTorch says that the node draws random numbers. True where that cannot be told.
[[nodiscard]] bool isNondeterministic(const torch::jit::Node &node);

} // namespace pipescope::import

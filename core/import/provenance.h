// Where a node came from, carried on the node itself: its Scope holds FQN, class and call index, and scopes survive
// cloning into stage graphs and every pass. Also our two bookkeeping nodes that mark where a submodule's call begins
// and ends.
#pragma once

#include <string>
#include <torch/csrc/jit/ir/ir.h>

namespace pipescope::import {

struct Provenance
{
    std::string fqn;
    std::string className;
    int call = 0;

    friend bool operator==(const Provenance &, const Provenance &) = default;
};

[[nodiscard]] torch::jit::ScopePtr makeScope(const Provenance &provenance);
/// What makeScope put there; empty for nodes that carry no scope of ours.
[[nodiscard]] Provenance provenanceOf(const torch::jit::Node &node);

/// Kinds of the bookkeeping nodes: no inputs, no outputs, kept by dead-code elimination until the graph is described.
[[nodiscard]] c10::Symbol callBeginsKind();
[[nodiscard]] c10::Symbol callEndsKind();
void registerCallMarks();

/// "Linear" for "__torch__.torch.nn.modules.linear.___torch_mangle_3.Linear".
[[nodiscard]] std::string shortClassName(const std::string &qualifiedName);

} // namespace pipescope::import

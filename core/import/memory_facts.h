// Which memory a node writes and which of its values may share memory, from operator schemas. Conservative where a
// schema says nothing; tighter than AliasDb for attributes, which are told apart by their real storage
// (libtorch.md 1.6).
#pragma once

#include <torch/csrc/jit/ir/ir.h>
#include <utility>
#include <vector>

namespace pipescope::import {

struct MemoryFacts
{
    std::vector<torch::jit::Value *> writes; ///< among the values the node uses
    std::vector<torch::jit::Value *>
        containerWrites; ///< those of them that are changed as a list or dict only (append)
    std::vector<std::pair<torch::jit::Value *, torch::jit::Value *>> shares; ///< pairs of used values and outputs
};

/// Facts of one node. For an if or a loop, those of its blocks seen from outside: only values from outside the node and
/// its outputs are named.
[[nodiscard]] MemoryFacts memoryFacts(torch::jit::Node &node);

/// Whether a value of this type is or may hold a tensor, list, dict or object: anything with memory to share.
[[nodiscard]] bool hasMemory(const c10::TypePtr &type);

/// Operands of a node and, for control flow, every value its blocks use from outside; in order, without duplicates.
[[nodiscard]] std::vector<torch::jit::Value *> usedValues(torch::jit::Node &node);

} // namespace pipescope::import

// Which memory a node writes and which of its values may share memory, from operator schemas. Conservative where a
// schema says nothing; tighter than AliasDb for attributes, which are told apart by their real storage
// (libtorch.md 1.6).
#pragma once

#include <cstddef>
#include <torch/csrc/jit/ir/ir.h>
#include <unordered_map>
#include <utility>
#include <vector>

namespace pipescope::import {

struct MemoryFacts
{
    /// Among the values the node uses.
    std::vector<torch::jit::Value *> writes;
    /// Those of `writes` that are changed as a list or dict only (append).
    std::vector<torch::jit::Value *> containerWrites;
    /// Pairs of used values and outputs.
    std::vector<std::pair<torch::jit::Value *, torch::jit::Value *>> shares;
};

/// The code that a node calls: of torch.jit.fork, and of a call that could not be inlined; nullptr where it is not
/// known.
[[nodiscard]] torch::jit::Graph *calledBy(const torch::jit::Node &node);

/// The nodes of one graph, which must not change in the meantime. What is inside an if or a loop is worked out once,
/// from the innermost block outwards, however deep the blocks are nested and however often it is asked for.
class GraphMemory
{
public:
    /// Facts of one node. For an if or a loop, those of its blocks seen from outside: only values from outside the node
    /// and its outputs are named. For a call that is left in the graph and for torch.jit.fork, those of the code
    /// called.
    [[nodiscard]] MemoryFacts facts(torch::jit::Node &node);

    /// Operands of a node and, for control flow, every value its blocks use from outside; in order, without duplicates.
    [[nodiscard]] std::vector<torch::jit::Value *> usedValues(torch::jit::Node &node);

    /// For tests. How many nodes and values facts() has looked at so far; about linear in those of the graph.
    [[nodiscard]] std::size_t steps() const { return m_steps; }

private:
    // Of code that is called, by place: its inputs, then its outputs.
    struct CalledFacts
    {
        std::vector<std::size_t> writes;
        std::vector<std::size_t> containerWrites;
        std::vector<std::pair<std::size_t, std::size_t>> shares;
    };
    const CalledFacts &calledFacts(torch::jit::Graph &callee);
    MemoryFacts callFacts(torch::jit::Node &node, torch::jit::Graph &callee);

    // Of nodes with blocks only.
    std::unordered_map<const torch::jit::Node *, MemoryFacts> m_facts;
    std::unordered_map<const torch::jit::Node *, std::vector<torch::jit::Value *>> m_used;
    std::unordered_map<const torch::jit::Graph *, CalledFacts> m_called;
    int m_depth = 0; // of calls inside each other
    std::size_t m_steps = 0;
};

/// Whether a value of this type is or may hold a tensor, list, dict or object: anything with memory to share.
[[nodiscard]] bool hasMemory(const c10::TypePtr &type);

} // namespace pipescope::import

// Which values of a graph may share memory, taken together over all of it. Private to import/.
#pragma once

#include "import/memory_facts.h"

#include <torch/csrc/jit/ir/ir.h>
#include <unordered_map>

namespace pipescope::import {

/// Sets of values that may be one memory. All that outlives the call may be: arguments, what modules hold, what is read
/// of attributes and assigned to them.
class MemoryClasses
{
public:
    /// Of a graph that has an input. Nodes may change their order afterwards.
    MemoryClasses(torch::jit::Graph &graph, GraphMemory &memory);

    /// The value that stands for the set.
    torch::jit::Value *find(torch::jit::Value *value);

private:
    void addState(torch::jit::Node &node, torch::jit::Graph &graph);
    void join(torch::jit::Value *a, torch::jit::Value *b);

    std::unordered_map<torch::jit::Value *, torch::jit::Value *> m_parents;
};

} // namespace pipescope::import

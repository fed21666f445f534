#include "import/memory_classes.h"

#include <utility>

namespace pipescope::import {

using torch::jit::Block;
using torch::jit::Graph;
using torch::jit::Node;
using torch::jit::Value;

MemoryClasses::MemoryClasses(Graph &graph, GraphMemory &memory)
{
    for (Value *input : graph.inputs())
        if (hasMemory(input->type()))
            join(input, graph.inputs().front());
    for (Node *node : graph.nodes()) {
        for (const auto &[a, b] : memory.facts(*node).shares)
            join(a, b);
        addState(*node, graph);
    }
}

Value *MemoryClasses::find(Value *value)
{
    Value *root = value;
    for (auto parent = m_parents.find(root); parent != m_parents.end(); parent = m_parents.find(root))
        root = parent->second;
    while (value != root)
        value = std::exchange(m_parents[value], root);
    return root;
}

void MemoryClasses::addState(Node &node, Graph &graph)
{
    if (node.kind() == c10::prim::GetAttr && hasMemory(node.output()->type()))
        join(node.output(), graph.inputs().front());
    if (node.kind() == c10::prim::SetAttr && hasMemory(node.input(1)->type()))
        join(node.input(1), graph.inputs().front());
    for (Block *block : node.blocks())
        for (Node *inner : block->nodes())
            addState(*inner, graph);
}

void MemoryClasses::join(Value *a, Value *b)
{
    Value *const one = find(a);
    Value *const other = find(b);
    if (one != other)
        m_parents[one] = other;
}

} // namespace pipescope::import

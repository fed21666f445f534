#include "partition/attribute_slots.h"

#include "ops/operator.h"

#include <algorithm>

namespace pipescope::partition {

namespace {

using graph::ModelGraph;
using graph::Node;

// Whether the node does nothing but read or assign an attribute of its first operand.
bool touchesAttribute(const Node &node)
{
    const ops::Memory memory = ops::of(node).memory;
    return (memory == ops::Memory::ReadsAttribute || memory == ops::Memory::SetsAttribute) &&
           node.stateRead.size() + node.stateWritten.size() == 1 && !node.operands.empty() &&
           node.operands.front().valid();
}

const std::string &attributeOf(const Node &node)
{
    return node.stateRead.empty() ? node.stateWritten.front() : node.stateRead.front();
}

} // namespace

AttributeSlots::AttributeSlots(const ModelGraph &graph)
    : m_isApart(graph.values.size())
{
    findObjects(graph);
    for (const Node &node : graph.nodes) {
        if (!touchesAttribute(node) || !m_isApart[node.operands.front().index()])
            continue;
        const ValueId object = node.operands.front();
        if (m_indices.try_emplace({object, attributeOf(node)}, static_cast<int>(m_slots.size())).second)
            m_slots.push_back({object, attributeOf(node)});
    }
}

void AttributeSlots::findObjects(const ModelGraph &graph)
{
    const auto isHeldObject = [&](ValueId id) {
        return graph.value(id).kind == graph::ValueKind::Attribute &&
               graph.value(id).crossing == graph::Crossing::Refused;
    };
    for (const Node &node : graph.nodes)
        if (touchesAttribute(node) && isHeldObject(node.operands.front()))
            m_isApart[node.operands.front().index()] = true;
    const auto isWhole = [this](ValueId id) {
        if (id.valid())
            m_isApart[id.index()] = false;
    };
    for (const Node &node : graph.nodes) {
        for (std::size_t i = touchesAttribute(node) ? 1 : 0; i < node.operands.size(); ++i)
            isWhole(node.operands[i]);
        for (const graph::Alias &alias : node.aliases)
            if (alias.output == alias.input)
                isWhole(alias.output);
        // An if or loop may give an object of its blocks as its result.
        const bool givesObjects = std::any_of(node.outputs.begin(), node.outputs.end(), [&](ValueId output) {
            return graph.value(output).crossing == graph::Crossing::Refused;
        });
        if (!node.children.empty() && givesObjects)
            std::for_each(node.uses.begin(), node.uses.end(), isWhole);
    }
    std::for_each(graph.outputs.begin(), graph.outputs.end(), isWhole);
}

std::vector<int> AttributeSlots::of(const Node &node, ValueId object) const
{
    std::vector<int> slots;
    if (!m_isApart[object.index()])
        return slots;
    for (const std::vector<std::string> *names : {&node.stateRead, &node.stateWritten})
        for (const std::string &name : *names)
            if (const auto found = m_indices.find({object, name}); found != m_indices.end())
                slots.push_back(found->second);
    return slots;
}

} // namespace pipescope::partition

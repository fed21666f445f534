#include "outline/graph_writer.h"

#include <fmt/format.h>
#include <set>
#include <unordered_set>
#include <utility>

namespace pipescope::outline {

using graph::ValueKind;

namespace {

/// Each that is known once, in the order they stand in.
std::vector<ValueId> valuesAmong(const std::vector<ValueId> &operands)
{
    std::vector<ValueId> values;
    std::unordered_set<ValueId> seen;
    for (const ValueId operand : operands) {
        if (operand.valid() && seen.insert(operand).second)
            values.push_back(operand);
    }
    return values;
}

} // namespace

GraphWriter::GraphWriter(graph::ModelGraph &graph, const OutlineLimits &limits)
    : m_graph(graph)
    , m_limits(limits)
{
    for (std::size_t i = 0; i < graph.parameters.size(); ++i)
        m_parameter.emplace(graph.parameters[i].fqn, static_cast<int>(i));
}

bool GraphWriter::count(std::size_t nameBytes)
{
    m_nameBytes += nameBytes;
    m_isFull = m_isFull || m_nameBytes > m_limits.nameBytes;
    return !m_isFull;
}

NodeId GraphWriter::addNode(const std::string &op, const Place &place, const std::vector<ValueId> &operands)
{
    m_operands += operands.size();
    if (m_graph.nodes.size() >= m_limits.nodes || m_operands > m_limits.operands)
        m_isFull = true;
    if (!count(2 * (op.size() + place.fqn.size()) + place.className.size() + place.file.size() + place.text.size()))
        return {};
    const std::string base = place.fqn.empty() ? op : std::string(place.fqn) + "/" + op;
    const int ordinal = m_ordinals[base]++;
    graph::Node node;
    node.id = NodeId{static_cast<int>(m_graph.nodes.size())};
    node.name = ordinal == 0 ? base : fmt::format("{}#{}", base, ordinal);
    node.op = op;
    node.fqn = place.fqn;
    node.className = place.className;
    node.call = place.call;
    node.source = {std::string(place.file), place.line, 0, std::string(place.text)};
    node.operands = operands;
    node.uses = valuesAmong(operands);
    if (m_blocks.empty()) {
        m_graph.order.push_back(node.id);
    } else {
        node.parent = m_blocks.back();
        m_graph.nodes[node.parent.index()].children.push_back(node.id);
    }
    m_graph.nodes.push_back(std::move(node));
    return m_graph.nodes.back().id;
}

ValueId GraphWriter::addValue(ValueKind kind, std::string name)
{
    if (!count(name.size()))
        return {};
    graph::Value value;
    value.id = ValueId{static_cast<int>(m_graph.values.size())};
    value.kind = kind;
    value.name = std::move(name);
    m_graph.values.push_back(std::move(value));
    return m_graph.values.back().id;
}

ValueId GraphWriter::addOutput(NodeId node)
{
    if (m_isFull || !node.valid())
        return {};
    graph::Node &producer = m_graph.nodes[node.index()];
    const auto index = static_cast<int>(producer.outputs.size());
    const ValueId added = addValue(producer.parent.valid() ? ValueKind::Inner : ValueKind::Result,
                                   fmt::format("{}:{}", producer.name, index));
    if (!added.valid())
        return {};
    m_graph.values[added.index()].producer = node;
    m_graph.values[added.index()].outputIndex = index;
    producer.outputs.push_back(added);
    return added;
}

ValueId GraphWriter::addHandedIn(NodeId loop, std::string_view name)
{
    if (m_isFull || !loop.valid())
        return {};
    const ValueId added = addValue(ValueKind::Inner, fmt::format("{}:{}", m_graph.node(loop).name, name));
    if (added.valid())
        m_graph.values[added.index()].producer = loop;
    return added;
}

ValueId GraphWriter::addArgument(std::string_view name, std::string_view type, std::string_view defaultText)
{
    const ValueId value =
        count(type.size() + defaultText.size()) ? addValue(ValueKind::Input, std::string(name)) : ValueId{};
    if (!value.valid())
        return {};
    m_graph.values[value.index()].type = type;
    m_graph.arguments.push_back(
        {std::string(name), std::string(type), value, !defaultText.empty(), std::string(defaultText)});
    return value;
}

ValueId GraphWriter::parameter(int index)
{
    graph::Parameter &asked = m_graph.parameters[static_cast<std::size_t>(index)];
    if (asked.value.valid())
        return asked.value;
    const auto first = m_parameter.find(asked.tiedTo);
    const bool isTied = !asked.tiedTo.empty() && first != m_parameter.end() && first->second != index;
    graph::Parameter &owner = isTied ? m_graph.parameters[static_cast<std::size_t>(first->second)] : asked;
    if (!owner.value.valid())
        owner.value = addValue(owner.isBuffer ? ValueKind::Buffer : ValueKind::Parameter, owner.fqn);
    if (owner.value.valid()) {
        m_graph.values[owner.value.index()].type = "Tensor";
        m_graph.values[owner.value.index()].tensor = owner.tensor;
        m_graph.values[owner.value.index()].bytes = owner.tensor.bytes;
    }
    asked.value = owner.value;
    return asked.value;
}

void GraphWriter::assigns(NodeId node, std::string attribute)
{
    if (node.valid() && count(attribute.size()))
        m_graph.nodes[node.index()].stateWritten.push_back(std::move(attribute));
}

void GraphWriter::addMarker(std::string name)
{
    if (!count(name.size() + sizeof(graph::Marker)))
        return;
    const bool isInBlock = !m_blocks.empty();
    m_graph.markers.push_back(
        {isInBlock ? position() - 1 : position(), std::move(name), isInBlock ? m_blocks.front() : NodeId{}});
}

void GraphWriter::openBlock(NodeId node)
{
    if (static_cast<int>(m_blocks.size()) >= m_limits.blocks)
        m_isFull = true;
    m_blocks.push_back(node);
}

void GraphWriter::closeBlock()
{
    m_blocks.pop_back();
}

int GraphWriter::beginCall(const std::string &fqn)
{
    if (!count(fqn.size() + sizeof(graph::ModuleCall))) {
        m_open.push_back(m_graph.calls.size());
        return 0;
    }
    const bool isInBlock = !m_blocks.empty();
    const int here = isInBlock ? position() - 1 : position();
    const int call = m_callsOf[fqn]++;
    m_open.push_back(m_graph.calls.size());
    m_graph.calls.push_back({fqn, call, here, here, isInBlock ? m_blocks.front() : NodeId{}});
    return call;
}

void GraphWriter::endCall()
{
    const std::size_t ended = m_open.back();
    m_open.pop_back();
    if (ended < m_graph.calls.size() && !m_graph.calls[ended].inside.valid())
        m_graph.calls[ended].end = position();
}

bool GraphWriter::isInside(NodeId node, NodeId around) const
{
    while (node.valid() && node != around)
        node = m_graph.node(node).parent;
    return node.valid();
}

void GraphWriter::finish()
{
    std::set<std::pair<NodeId, ValueId>> has;
    for (const graph::Node &node : m_graph.nodes) {
        if (!node.children.empty())
            for (const ValueId used : node.uses)
                has.emplace(node.id, used);
    }
    for (std::size_t i = m_graph.nodes.size(); i-- > 0;) { // what is inside comes first
        const graph::Node &node = m_graph.nodes[i];
        if (!node.parent.valid())
            continue;
        graph::Node &around = m_graph.nodes[node.parent.index()];
        for (const ValueId used : node.uses) {
            if (isInside(m_graph.value(used).producer, around.id) || !has.emplace(around.id, used).second)
                continue;
            if (++m_operands > m_limits.operands)
                return setFull();
            around.uses.push_back(used);
        }
    }
}

} // namespace pipescope::outline

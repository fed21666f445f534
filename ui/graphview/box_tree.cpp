#include "graphview/box_tree.h"

#include "graphview/box_names.h"
#include "graphview/wiring.h"

#include <unordered_map>

namespace pipescope::graphview {

namespace {

bool makesBox(const graph::ModuleCall &call)
{
    return !call.inside.valid() && call.begin < call.end;
}

bool isHeld(const graph::Value &value)
{
    using graph::ValueKind;
    return value.kind == ValueKind::Parameter || value.kind == ValueKind::Buffer ||
           value.kind == ValueKind::Attribute || value.kind == ValueKind::Constant;
}

class Builder
{
public:
    Builder(const graph::ModelGraph &graph, const OpenBoxes &open, Nesting nesting)
        : m_graph(graph)
        , m_open(open)
        , m_nesting(nesting)
    {
        for (const graph::ModuleInfo &module : graph.modules)
            m_classOf.emplace(module.fqn, module.className);
    }

    BoxTree build()
    {
        m_tree.boxOfNode.assign(m_graph.nodes.size(), 0);
        Box model;
        model.title = m_graph.modelClass;
        model.canOpen = true;
        model.end = m_graph.size();
        model.node = m_graph.order.empty() ? NodeId{} : m_graph.order.front();
        m_tree.boxes.push_back(std::move(model));
        openGroup(0);
        for (std::size_t i = 0; i < m_graph.arguments.size(); ++i)
            addEnd(BoxKind::Argument, static_cast<int>(i), m_graph.arguments[i].value);
        m_nextCall = m_nesting == Nesting::Flat ? m_graph.calls.size() : 0;
        addRange(0, 0, m_graph.size(), "");
        for (std::size_t i = 0; i < m_graph.outputs.size(); ++i)
            addEnd(BoxKind::Result, static_cast<int>(i), m_graph.outputs[i]);
        wire();
        return std::move(m_tree);
    }

private:
    int addBox(int group, Box box)
    {
        const int index = static_cast<int>(m_tree.boxes.size());
        box.parent = m_tree.groups[static_cast<std::size_t>(group)].box;
        m_tree.boxes.push_back(std::move(box));
        m_tree.groups[static_cast<std::size_t>(group)].children.push_back(index);
        return index;
    }

    int openGroup(int box)
    {
        const int index = static_cast<int>(m_tree.groups.size());
        m_tree.boxes[static_cast<std::size_t>(box)].group = index;
        m_tree.groups.push_back({box, {}, {}, {}, {}});
        return index;
    }

    void addEnd(BoxKind kind, int index, ValueId value)
    {
        Box box;
        box.key = {kind, index};
        box.title = kind == BoxKind::Argument ? m_graph.arguments[static_cast<std::size_t>(index)].name : "return";
        box.detail = valueDetail(m_graph.value(value));
        box.begin = box.end = kind == BoxKind::Argument ? 0 : m_graph.size();
        box.value = value;
        addBox(0, std::move(box));
    }

    // order[begin, end): the calls that begin there (m_nextCall is the first of them) and the nodes between.
    void addRange(int group, int begin, int end, const std::string &fqn)
    {
        for (int position = begin; position < end;) {
            while (m_nextCall < m_graph.calls.size() &&
                   (!makesBox(m_graph.calls[m_nextCall]) || m_graph.calls[m_nextCall].begin < position))
                ++m_nextCall;
            if (m_nextCall < m_graph.calls.size() && m_graph.calls[m_nextCall].begin == position &&
                m_graph.calls[m_nextCall].end <= end) {
                position = addModule(group, m_nextCall++, fqn);
            } else {
                addNode(group, m_graph.order[static_cast<std::size_t>(position)], position);
                ++position;
            }
        }
    }

    int addModule(int group, std::size_t index, const std::string &around)
    {
        const graph::ModuleCall &call = m_graph.calls[index];
        Box box;
        box.key = {BoxKind::Module, static_cast<int>(index)};
        box.canOpen = true;
        box.title = relativeName(call, around);
        box.detail = moduleDetail(call, m_classOf[call.fqn]);
        box.begin = call.begin;
        box.end = call.end;
        box.node = m_graph.order[static_cast<std::size_t>(call.begin)];
        const bool open = m_open.contains(box.key);
        const int added = addBox(group, std::move(box));
        if (open) {
            addRange(openGroup(added), call.begin, call.end, call.fqn);
        } else {
            for (int position = call.begin; position < call.end; ++position)
                holdNode(m_graph.order[static_cast<std::size_t>(position)], added);
        }
        return call.end;
    }

    void addNode(int group, NodeId id, int position)
    {
        const graph::Node &node = m_graph.node(id);
        Box box;
        box.canOpen = !node.children.empty();
        box.key = {box.canOpen ? BoxKind::Block : BoxKind::Node, id.value};
        box.title = operatorName(node);
        box.detail = nodeDetail(m_graph, node);
        if (box.detail.empty() && m_nesting == Nesting::Flat) // no module around it says where it is
            box.detail = node.fqn;
        box.begin = position;
        box.end = position + 1;
        box.node = id;
        const bool open = m_open.contains(box.key);
        const int added = addBox(group, std::move(box));
        holdNode(id, added);
        if (open) {
            const int inside = openGroup(added);
            for (const NodeId child : node.children)
                addNode(inside, child, position);
        }
    }

    void holdNode(NodeId id, int box)
    {
        std::vector<NodeId> left{id};
        while (!left.empty()) {
            const NodeId node = left.back();
            left.pop_back();
            m_tree.boxOfNode[node.index()] = box;
            const std::vector<NodeId> &children = m_graph.node(node).children;
            left.insert(left.end(), children.begin(), children.end());
        }
    }

    void wire()
    {
        Wiring wiring(m_tree);
        std::vector<int> sourceOf(m_graph.values.size(), -1); // the box a value comes from
        for (const graph::Value &value : m_graph.values) {
            if (value.producer.valid())
                sourceOf[value.id.index()] = m_tree.boxOfNode[value.producer.index()];
        }
        for (const int child : m_tree.groups[0].children) {
            const Box &box = m_tree.boxes[static_cast<std::size_t>(child)];
            if (box.key.kind == BoxKind::Argument)
                sourceOf[box.value.index()] = child;
        }
        for (const graph::Node &node : m_graph.nodes) {
            for (const ValueId value : node.uses)
                connect(wiring, value, sourceOf, m_tree.boxOfNode[node.id.index()]);
        }
        for (const int child : m_tree.groups[0].children) {
            const Box &box = m_tree.boxes[static_cast<std::size_t>(child)];
            if (box.key.kind == BoxKind::Result)
                connect(wiring, box.value, sourceOf, child);
        }
    }

    void connect(Wiring &wiring, ValueId value, const std::vector<int> &sourceOf, int to) const
    {
        const int from = sourceOf[value.index()];
        if (from >= 0 && !isHeld(m_graph.value(value)))
            wiring.connect(value, from, to);
    }

    const graph::ModelGraph &m_graph;
    const OpenBoxes &m_open;
    Nesting m_nesting;
    std::unordered_map<std::string, std::string> m_classOf; // by FQN
    BoxTree m_tree;
    std::size_t m_nextCall = 0;
};

} // namespace

BoxTree buildBoxTree(const graph::ModelGraph &graph, const OpenBoxes &open, Nesting nesting)
{
    return Builder(graph, open, nesting).build();
}

OpenBoxes everythingOpen(const graph::ModelGraph &graph)
{
    OpenBoxes open;
    for (std::size_t i = 0; i < graph.calls.size(); ++i) {
        if (makesBox(graph.calls[i]))
            open.insert({BoxKind::Module, static_cast<int>(i)});
    }
    for (const graph::Node &node : graph.nodes) {
        if (!node.children.empty())
            open.insert({BoxKind::Block, node.id.value});
    }
    return open;
}

OpenBoxes everythingInside(const graph::ModelGraph &graph, const BoxKey &key)
{
    OpenBoxes open;
    std::vector<NodeId> left; // nodes of which the blocks are looked for
    if (key.kind == BoxKind::Module) {
        const bool isModel = key.index < 0;
        const int begin = isModel ? 0 : graph.calls[static_cast<std::size_t>(key.index)].begin;
        const int end = isModel ? graph.size() : graph.calls[static_cast<std::size_t>(key.index)].end;
        // Calls around one stand before it.
        for (std::size_t i = isModel ? 0 : static_cast<std::size_t>(key.index); i < graph.calls.size(); ++i) {
            const graph::ModuleCall &call = graph.calls[i];
            if (makesBox(call) && call.begin >= begin && call.end <= end)
                open.insert({BoxKind::Module, static_cast<int>(i)});
        }
        left.assign(graph.order.begin() + begin, graph.order.begin() + end);
    } else if (key.kind == BoxKind::Block) {
        left.push_back(NodeId{key.index});
    }
    while (!left.empty()) {
        const graph::Node &node = graph.node(left.back());
        left.pop_back();
        if (!node.children.empty())
            open.insert({BoxKind::Block, node.id.value});
        left.insert(left.end(), node.children.begin(), node.children.end());
    }
    return open;
}

OpenBoxes aroundNode(const graph::ModelGraph &graph, NodeId node)
{
    OpenBoxes open;
    const int position = positionOf(graph, node);
    for (std::size_t i = 0; i < graph.calls.size(); ++i) {
        const graph::ModuleCall &call = graph.calls[i];
        if (makesBox(call) && call.begin <= position && position < call.end)
            open.insert({BoxKind::Module, static_cast<int>(i)});
    }
    if (!node.valid())
        return open;
    for (NodeId around = graph.node(node).parent; around.valid(); around = graph.node(around).parent)
        open.insert({BoxKind::Block, around.value});
    return open;
}

} // namespace pipescope::graphview

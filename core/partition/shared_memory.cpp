#include "partition/shared_memory.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace pipescope::partition {

namespace {

using graph::ModelGraph;
using graph::Node;
using graph::Value;
using graph::ValueKind;

constexpr int Never = -1;

bool outlivesTheCall(const Value &value)
{
    switch (value.kind) {
    case ValueKind::Input:
    case ValueKind::Parameter:
    case ValueKind::Buffer:
    case ValueKind::Attribute:
        return true;
    case ValueKind::Constant:
        return value.holdsTensors;
    case ValueKind::Result:
    case ValueKind::Inner:
        break;
    }
    return false;
}

// Plain constants are pooled: one `None` or `1` may sit in a hundred unrelated lists, which share no memory through it.
bool hasMemory(const Value &value)
{
    return value.kind != ValueKind::Constant || value.holdsTensors;
}

// A list of tensors shares their memory, but putting one more in changes no tensor: the list itself is a memory apart.
// Anything that is not just a tensor may be such a container or hold one.
bool mayBeContainer(const Value &value)
{
    return value.type != "Tensor" && value.type != "Optional[Tensor]";
}

// What is known of one set of values that may share memory.
struct MemoryClass
{
    int firstMade = Never; // of its results
    ValueId state;         // a member that outlives the call
    int firstUse = Never;  // uses from when it had such a member
    int lastUse = Never;
    // The first write while it had such a member; what joins after a write was not written by it.
    NodeId writer;
    ValueId writtenState;
    int firstUseOfWritten = Never;
};

int earlier(int a, int b)
{
    return a == Never || b == Never ? std::max(a, b) : std::min(a, b);
}

// Union-find that is walked through in program order. That order matters: a write changes what shares the memory when
// it happens; what joins later (a list that collects finished branches) was not changed by it. But what one call puts
// into state, the next call begins with.
class MemoryClasses
{
public:
    explicit MemoryClasses(const ModelGraph &graph, const std::vector<graph::Alias> &fromCallBefore = {})
        : m_graph(graph)
        , m_parent(2 * graph.values.size())
        , m_size(2 * graph.values.size(), 1)
        , m_classes(2 * graph.values.size())
    {
        std::iota(m_parent.begin(), m_parent.end(), 0);
        for (const Value &value : graph.values) {
            if (!outlivesTheCall(value))
                continue;
            m_classes[value.id.index()].state = value.id;
            if (mayBeContainer(value))
                m_classes[static_cast<std::size_t>(containerIndex(value.id))].state = value.id;
        }
        for (const graph::Alias &alias : fromCallBefore)
            share(m_graph.value(alias.input), m_graph.value(alias.output));
    }

    // What shares memory when the next call begins, because a node that writes state may have put one into the other.
    std::vector<graph::Alias> carried()
    {
        std::vector<graph::Alias> carried;
        for (int position = 0; position < m_graph.size(); ++position) {
            const Node &node = m_graph.at(position);
            step(position, node);
            if (!node.stateWritten.empty() ||
                std::any_of(node.writes.begin(), node.writes.end(),
                            [this](ValueId value) { return classOf(value.value).state.valid(); }))
                carried.insert(carried.end(), node.aliases.begin(), node.aliases.end());
        }
        return carried;
    }

    MemoryBans run()
    {
        for (int position = 0; position < m_graph.size(); ++position)
            step(position, m_graph.at(position));
        for (std::size_t i = 0; i < m_classes.size(); ++i)
            banState(static_cast<int>(i));
        for (const Value &value : m_graph.values) {
            m_bans.classOf.push_back(rootOf(value.id.value));
            m_bans.containerOf.push_back(rootOf(containerIndex(value.id)));
        }
        return std::move(m_bans);
    }

private:
    void step(int position, const Node &node)
    {
        for (const graph::Alias &alias : node.aliases)
            share(m_graph.value(alias.input), m_graph.value(alias.output));
        for (const ValueId output : node.outputs)
            for (const int index : indicesOf(output)) {
                MemoryClass &memory = classOf(index);
                memory.firstMade = earlier(memory.firstMade, position);
            }
        for (const ValueId input : node.uses)
            for (const int index : indicesOf(input))
                use(position, classOf(index));
        for (const ValueId written : node.writes) {
            const auto &containers = node.containerWrites;
            const bool containerOnly = std::find(containers.begin(), containers.end(), written) != containers.end();
            write(position, node.id, written, containerOnly);
        }
    }

    void share(const Value &a, const Value &b)
    {
        if (!hasMemory(a) || !hasMemory(b))
            return;
        join(a.id.value, b.id.value);
        if (mayBeContainer(a) && mayBeContainer(b))
            join(containerIndex(a.id), containerIndex(b.id));
    }

    static void use(int position, MemoryClass &memory)
    {
        if (!memory.state.valid())
            return;
        memory.firstUse = earlier(memory.firstUse, position);
        memory.lastUse = position;
    }

    void write(int position, NodeId writer, ValueId written, bool containerOnly)
    {
        MemoryClass &memory = classOf(containerOnly ? containerIndex(written) : written.value);
        if (memory.state.valid()) {
            if (!memory.writer.valid()) {
                memory.writer = writer;
                memory.writtenState = memory.state;
            }
            memory.firstUseOfWritten = memory.firstUse;
        }
        if (memory.firstMade != Never && memory.firstMade < position)
            m_bans.writes.push_back({memory.firstMade + 1, position, writer, containerOnly, written});
    }

    // A value's memory, and the container it may be: two members of the union-find.
    [[nodiscard]] int containerIndex(ValueId value) const
    {
        return value.value + static_cast<int>(m_graph.values.size());
    }

    [[nodiscard]] std::vector<int> indicesOf(ValueId value) const
    {
        return mayBeContainer(m_graph.value(value)) ? std::vector{value.value, containerIndex(value)}
                                                    : std::vector{value.value};
    }

    void banState(int index)
    {
        const MemoryClass &memory = m_classes[static_cast<std::size_t>(index)];
        if (rootOf(index) != index || !memory.writer.valid() || memory.firstUseOfWritten == memory.lastUse)
            return;
        m_bans.states.push_back({memory.firstUseOfWritten + 1, memory.lastUse, memory.writtenState, memory.writer,
                                 m_graph.at(memory.firstUseOfWritten).id, m_graph.at(memory.lastUse).id});
    }

    MemoryClass &classOf(int index) { return m_classes[static_cast<std::size_t>(rootOf(index))]; }

    int rootOf(int index)
    {
        while (parent(index) != index) {
            parent(index) = parent(parent(index));
            index = parent(index);
        }
        return index;
    }

    int &parent(int index) { return m_parent[static_cast<std::size_t>(index)]; }

    void join(int a, int b)
    {
        a = rootOf(a);
        b = rootOf(b);
        if (a == b)
            return;
        if (m_size[static_cast<std::size_t>(a)] < m_size[static_cast<std::size_t>(b)])
            std::swap(a, b);
        parent(b) = a;
        m_size[static_cast<std::size_t>(a)] += m_size[static_cast<std::size_t>(b)];
        MemoryClass &into = m_classes[static_cast<std::size_t>(a)];
        const MemoryClass &from = m_classes[static_cast<std::size_t>(b)];
        into.firstMade = earlier(into.firstMade, from.firstMade);
        into.firstUse = earlier(into.firstUse, from.firstUse);
        into.lastUse = std::max(into.lastUse, from.lastUse);
        if (!into.state.valid())
            into.state = from.state;
        into.firstUseOfWritten = earlier(into.firstUseOfWritten, from.firstUseOfWritten);
        if (!into.writer.valid()) {
            into.writer = from.writer;
            into.writtenState = from.writtenState;
        }
    }

    const ModelGraph &m_graph;
    std::vector<int> m_parent;
    std::vector<int> m_size;
    std::vector<MemoryClass> m_classes; // by root
    MemoryBans m_bans;
};

} // namespace

MemoryBans memoryBans(const ModelGraph &graph)
{
    return MemoryClasses(graph, MemoryClasses(graph).carried()).run();
}

} // namespace pipescope::partition

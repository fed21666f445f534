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
// it happens; what joins later (a list that collects finished branches) was not changed by it.
class MemoryClasses
{
public:
    explicit MemoryClasses(const ModelGraph &graph)
        : m_graph(graph)
        , m_parent(graph.values.size())
        , m_size(graph.values.size(), 1)
        , m_classes(graph.values.size())
    {
        std::iota(m_parent.begin(), m_parent.end(), 0);
        for (const Value &value : graph.values) {
            if (outlivesTheCall(value))
                m_classes[value.id.index()].state = value.id;
        }
    }

    MemoryBans run()
    {
        for (int position = 0; position < m_graph.size(); ++position)
            step(position, m_graph.at(position));
        for (std::size_t i = 0; i < m_classes.size(); ++i)
            banState(static_cast<int>(i));
        m_bans.classOf.resize(m_parent.size());
        for (std::size_t i = 0; i < m_parent.size(); ++i)
            m_bans.classOf[i] = rootOf(static_cast<int>(i));
        return std::move(m_bans);
    }

private:
    void step(int position, const Node &node)
    {
        for (const graph::Alias &alias : node.aliases) {
            if (hasMemory(m_graph.value(alias.input)) && hasMemory(m_graph.value(alias.output)))
                join(alias.input.value, alias.output.value);
        }
        for (const ValueId output : node.outputs) {
            MemoryClass &memory = classOf(output);
            memory.firstMade = earlier(memory.firstMade, position);
        }
        for (const ValueId input : node.inputs) {
            MemoryClass &memory = classOf(input);
            if (!memory.state.valid())
                continue;
            memory.firstUse = earlier(memory.firstUse, position);
            memory.lastUse = position;
        }
        for (const ValueId written : node.writes) {
            MemoryClass &memory = classOf(written);
            if (memory.state.valid()) {
                if (!memory.writer.valid()) {
                    memory.writer = node.id;
                    memory.writtenState = memory.state;
                }
                memory.firstUseOfWritten = memory.firstUse;
            }
            if (memory.firstMade != Never && memory.firstMade < position)
                m_bans.writes.push_back({memory.firstMade + 1, position, node.id, written});
        }
    }

    void banState(int index)
    {
        const MemoryClass &memory = m_classes[static_cast<std::size_t>(index)];
        if (rootOf(index) != index || !memory.writer.valid() || memory.firstUseOfWritten == memory.lastUse)
            return;
        m_bans.states.push_back({memory.firstUseOfWritten + 1, memory.lastUse, memory.writtenState, memory.writer,
                                 m_graph.at(memory.firstUseOfWritten).id, m_graph.at(memory.lastUse).id});
    }

    MemoryClass &classOf(ValueId value) { return m_classes[static_cast<std::size_t>(rootOf(value.value))]; }

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
    return MemoryClasses(graph).run();
}

} // namespace pipescope::partition

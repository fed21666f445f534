#include "partition/shared_memory.h"

#include <algorithm>
#include <numeric>
#include <unordered_map>
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
    // Two memories, by index, that are one since the call before.
    using Carried = std::vector<std::pair<int, int>>;

    explicit MemoryClasses(const ModelGraph &graph, const Carried &fromCallBefore = {})
        : m_graph(graph)
        , m_parent(2 * graph.values.size())
        , m_next(2 * graph.values.size())
        , m_size(2 * graph.values.size(), 1)
        , m_classes(2 * graph.values.size())
    {
        std::iota(m_parent.begin(), m_parent.end(), 0);
        std::iota(m_next.begin(), m_next.end(), 0);
        for (const Value &value : graph.values) {
            if (!outlivesTheCall(value))
                continue;
            m_classes[value.id.index()].state = value.id;
            if (mayBeContainer(value))
                m_classes[static_cast<std::size_t>(containerIndex(value.id))].state = value.id;
        }
        for (const auto &[a, b] : fromCallBefore)
            join(a, b);
    }

    // Nodes that may put one memory into another that outlives the call, and the memories that they join.
    std::vector<std::pair<int, std::vector<int>>> puts()
    {
        std::vector<std::pair<int, std::vector<int>>> puts;
        for (int position = 0; position < m_graph.size(); ++position) {
            const Node &node = m_graph.at(position);
            step(position, node);
            const bool state =
                !node.stateWritten.empty() ||
                std::any_of(node.writes.begin(), node.writes.end(), [this](ValueId value) {
                    return mayBeContainer(m_graph.value(value)) && classOf(containerIndex(value)).state.valid();
                });
            if (!state || node.aliases.empty())
                continue;
            std::vector<int> ends;
            for (const graph::Alias &alias : node.aliases)
                for (const ValueId end : {alias.input, alias.output})
                    for (const int index : indicesOf(end))
                        ends.push_back(index);
            puts.emplace_back(position, std::move(ends));
        }
        return puts;
    }

    // All that is one memory with a state when the last node puts something into it: so it is when the next call
    // begins. `puts` and the classes at the end are those of a walk before this one.
    Carried carried(const std::vector<std::pair<int, std::vector<int>>> &puts, MemoryClasses &atEnd)
    {
        std::unordered_map<int, std::pair<int, int>> last; // by class at the end: the position, and a member
        for (const auto &[position, ends] : puts)
            for (const int end : ends)
                last[atEnd.rootOf(end)] = {position, end};
        std::unordered_map<int, std::vector<int>> asked; // by position
        for (const auto &entry : last)
            asked[entry.second.first].push_back(entry.second.second);
        Carried carried;
        for (int position = 0; position < m_graph.size(); ++position) {
            step(position, m_graph.at(position));
            if (const auto found = asked.find(position); found != asked.end())
                for (const int member : found->second)
                    for (int other = next(member); other != member; other = next(other))
                        carried.emplace_back(member, other);
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

    // Members of one class, in a ring.
    int &next(int index) { return m_next[static_cast<std::size_t>(index)]; }
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
        std::swap(next(a), next(b));
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
    std::vector<int> m_next;
    std::vector<int> m_size;
    std::vector<MemoryClass> m_classes; // by root
    MemoryBans m_bans;
};

} // namespace

MemoryBans memoryBans(const ModelGraph &graph)
{
    MemoryClasses first(graph);
    const auto puts = first.puts();
    const auto carried = puts.empty() ? MemoryClasses::Carried() : MemoryClasses(graph).carried(puts, first);
    return MemoryClasses(graph, carried).run();
}

} // namespace pipescope::partition

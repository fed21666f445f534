#include "partition/shared_memory.h"

#include "partition/attribute_slots.h"

#include <algorithm>
#include <map>
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

// So that the next call may find it as this one left it. Arguments are others in each call.
bool isKeptByTheModel(const Value &value)
{
    switch (value.kind) {
    case ValueKind::Parameter:
    case ValueKind::Buffer:
    case ValueKind::Attribute:
        return true;
    case ValueKind::Constant:
        return value.holdsTensors;
    case ValueKind::Input:
    case ValueKind::Result:
    case ValueKind::Inner:
        break;
    }
    return false;
}

bool outlivesTheCall(const Value &value)
{
    return value.kind == ValueKind::Input || isKeptByTheModel(value);
}

// Plain constants are pooled: one `None` or `1` may sit in a hundred unrelated lists, which share no memory through it.
bool hasMemory(const Value &value)
{
    return value.kind != ValueKind::Constant || value.holdsTensors;
}

// What is known of one set of memories that may be one.
struct MemoryClass
{
    int firstMade = Never; // of its results
    int state = Never;     // a member that outlives the call
    bool isKept = false;   // a member outlives it that is no argument
    int firstUse = Never;  // uses from when it had such a member
    int lastUse = Never;
    // The first write while it had such a member; what joins after a write was not written by it.
    NodeId writer;
    int writtenState = Never;
    int firstUseOfWritten = Never;
};

// Two members of the union-find.
struct Memory
{
    int items = Never;     // of a value: the memory of tensors, also of those inside it
    int container = Never; // the list or dict that it may be
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
        , m_slots(graph)
        , m_memories(graph.values.size() + m_slots.all().size())
        , m_parent(2 * m_memories)
        , m_next(2 * m_memories)
        , m_size(2 * m_memories, 1)
        , m_classes(2 * m_memories)
        , m_isUsed(graph.values.size())
    {
        std::iota(m_parent.begin(), m_parent.end(), 0);
        std::iota(m_next.begin(), m_next.end(), 0);
        for (int position = 0; position < graph.size(); ++position)
            for (const ValueId used : graph.at(position).uses)
                m_isUsed[used.index()] = true;
        for (const Value &value : graph.values) {
            if (!outlivesTheCall(value))
                continue;
            for (const int index :
                 {value.id.value, mayBeContainer(value.type) ? containerIndex(value.id.value) : Never}) {
                if (index == Never)
                    continue;
                MemoryClass &memory = m_classes[static_cast<std::size_t>(index)];
                memory.state = value.id.value;
                memory.isKept = isKeptByTheModel(value);
            }
        }
        for (std::size_t slot = 0; slot < m_slots.all().size(); ++slot) {
            const Memory memory = memoryOfSlot(static_cast<int>(slot));
            for (const int index : {memory.items, memory.container}) {
                m_classes[static_cast<std::size_t>(index)].state = memory.items;
                m_classes[static_cast<std::size_t>(index)].isKept = true;
            }
        }
        for (const auto &[a, b] : fromCallBefore)
            join(a, b);
    }

    // Nodes that may put one memory into another that the model keeps, and the memories that they join.
    std::vector<std::pair<int, std::vector<int>>> puts()
    {
        std::vector<std::pair<int, std::vector<int>>> puts;
        for (int position = 0; position < m_graph.size(); ++position) {
            const Node &node = m_graph.at(position);
            step(position, node);
            const bool keeps = !node.stateWritten.empty() || std::any_of(node.writes.begin(), node.writes.end(),
                                                                         [&](ValueId id) { return isKept(node, id); });
            if (!keeps || node.aliases.empty())
                continue;
            std::vector<int> ends;
            for (const graph::Alias &alias : node.aliases)
                for (const ValueId end : {alias.input, alias.output})
                    for (const int index : indicesOf(node, end))
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
        for (const Value &value : m_graph.values) {
            m_bans.classOf.push_back(rootOf(value.id.value));
            m_bans.containerOf.push_back(rootOf(containerIndex(value.id.value)));
        }
        const std::map<int, CallContainer> ofCall =
            callContainers(m_graph, m_bans.containerOf, [this](int container) { return classOf(container).isKept; });
        for (std::size_t i = 0; i < m_classes.size(); ++i)
            if (!ofCall.contains(static_cast<int>(i)))
                banState(static_cast<int>(i));
        for (WriteBan &ban : m_bans.writes)
            ban.memory = rootOf(ban.memory);
        std::erase_if(m_bans.writes,
                      [&](const WriteBan &ban) { return ban.containerOnly && ofCall.contains(ban.memory); });
        for (const auto &entry : ofCall)
            m_bans.callContainers.push_back(entry.second);
        return std::move(m_bans);
    }

private:
    void step(int position, const Node &node)
    {
        for (const graph::Alias &alias : node.aliases)
            share(node, m_graph.value(alias.input), m_graph.value(alias.output));
        for (const ValueId output : node.outputs)
            for (const int index : indicesOf(node, output)) {
                MemoryClass &memory = classOf(index);
                memory.firstMade = earlier(memory.firstMade, position);
            }
        for (const ValueId input : node.uses)
            for (const int index : indicesOf(node, input))
                use(position, classOf(index));
        for (const ValueId written : node.writes) {
            const auto &containers = node.containerWrites;
            const bool containerOnly = std::find(containers.begin(), containers.end(), written) != containers.end();
            for (const Memory &memory : memoriesOf(node, written))
                write(position, {0, 0, node.id, containerOnly, written, {}, 0}, memory);
        }
    }

    void share(const Node &node, const Value &a, const Value &b)
    {
        if (!hasMemory(a) || !hasMemory(b))
            return;
        const bool areApart = areListAndDict(a.type, b.type) || isUnused(a) || isUnused(b);
        for (const Memory &one : memoriesOf(node, a.id))
            for (const Memory &other : memoriesOf(node, b.id)) {
                join(one.items, other.items);
                if (one.container != Never && other.container != Never && !areApart)
                    join(one.container, other.container);
            }
    }

    static void use(int position, MemoryClass &memory)
    {
        if (memory.state == Never)
            return;
        memory.firstUse = earlier(memory.firstUse, position);
        memory.lastUse = position;
    }

    // What is at most returned: nobody changes through it what it holds, as a tuple of two lists.
    [[nodiscard]] bool isUnused(const Value &value) const
    {
        return value.kind == ValueKind::Result && !m_isUsed[value.id.index()];
    }

    // Whether a write of the value may put something into what the model keeps.
    bool isKept(const Node &node, ValueId written)
    {
        const std::vector<Memory> memories = memoriesOf(node, written);
        return std::any_of(memories.begin(), memories.end(), [this](const Memory &memory) {
            return memory.container != Never && classOf(memory.container).isKept;
        });
    }

    void write(int position, WriteBan ban, const Memory &written)
    {
        ban.memory = ban.containerOnly ? written.container : written.items;
        MemoryClass &memory = classOf(ban.memory);
        if (memory.state != Never) {
            if (!memory.writer.valid()) {
                memory.writer = ban.writer;
                memory.writtenState = memory.state;
            }
            memory.firstUseOfWritten = memory.firstUse;
        }
        if (memory.firstMade == Never || memory.firstMade >= position)
            return;
        ban.first = memory.firstMade + 1;
        ban.last = position;
        ban.attribute = attributeOf(written.items);
        m_bans.writes.push_back(std::move(ban));
    }

    [[nodiscard]] int containerIndex(int items) const { return items + static_cast<int>(m_memories); }

    [[nodiscard]] Memory memoryOfSlot(int slot) const
    {
        const int items = static_cast<int>(m_graph.values.size()) + slot;
        return {items, containerIndex(items)};
    }

    // What a value stands for where a node uses it: its own memory, or that of some attributes of the object it is.
    [[nodiscard]] std::vector<Memory> memoriesOf(const Node &node, ValueId id) const
    {
        const std::vector<int> slots = m_slots.of(node, id);
        if (slots.empty())
            return {{id.value, mayBeContainer(m_graph.value(id).type) ? containerIndex(id.value) : Never}};
        std::vector<Memory> memories;
        memories.reserve(slots.size());
        for (const int slot : slots)
            memories.push_back(memoryOfSlot(slot));
        return memories;
    }

    [[nodiscard]] std::vector<int> indicesOf(const Node &node, ValueId id) const
    {
        std::vector<int> indices;
        for (const Memory &memory : memoriesOf(node, id))
            for (const int index : {memory.items, memory.container})
                if (index != Never)
                    indices.push_back(index);
        return indices;
    }

    // "" for the memory of a value.
    [[nodiscard]] std::string attributeOf(int items) const
    {
        const std::size_t values = m_graph.values.size();
        const auto index = static_cast<std::size_t>(items);
        return index < values ? "" : m_slots.all()[index - values].fqn;
    }

    [[nodiscard]] ValueId valueOf(int items) const
    {
        const std::size_t values = m_graph.values.size();
        const auto index = static_cast<std::size_t>(items);
        return index < values ? ValueId{items} : m_slots.all()[index - values].object;
    }

    void banState(int index)
    {
        const MemoryClass &memory = m_classes[static_cast<std::size_t>(index)];
        if (rootOf(index) != index || !memory.writer.valid() || memory.firstUseOfWritten == memory.lastUse)
            return;
        m_bans.states.push_back({memory.firstUseOfWritten + 1, memory.lastUse, valueOf(memory.writtenState),
                                 attributeOf(memory.writtenState), memory.writer,
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
        if (into.state == Never)
            into.state = from.state;
        into.isKept = into.isKept || from.isKept;
        into.firstUseOfWritten = earlier(into.firstUseOfWritten, from.firstUseOfWritten);
        if (!into.writer.valid()) {
            into.writer = from.writer;
            into.writtenState = from.writtenState;
        }
    }

    const ModelGraph &m_graph;
    AttributeSlots m_slots;
    std::size_t m_memories; // of values, then of slots
    std::vector<int> m_parent;
    std::vector<int> m_next;
    std::vector<int> m_size;
    std::vector<MemoryClass> m_classes; // by root
    std::vector<bool> m_isUsed;         // by value
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

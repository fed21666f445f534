#include "import/memory_facts.h"

#include "import/operator_memory.h"
#include "import/plain_types.h"

#include <algorithm>
#include <torch/csrc/jit/api/function_impl.h>
#include <unordered_map>
#include <unordered_set>
#include <utility>

namespace pipescope::import {

namespace {

using torch::jit::Block;
using torch::jit::Graph;
using torch::jit::Node;
using torch::jit::Value;

// Sets of values that are one memory, joined by size so that long chains stay cheap. Some of the values are watched.
class Classes
{
public:
    /// What stands for the set, until the next join.
    std::size_t find(const Value *v)
    {
        std::size_t at = placeOf(v);
        while (m_entries[at].parent != at) {
            ++m_steps;
            Entry &entry = m_entries[at];
            entry.parent = m_entries[entry.parent].parent;
            at = entry.parent;
        }
        return at;
    }

    void join(const Value *a, const Value *b)
    {
        std::size_t larger = find(a);
        std::size_t smaller = find(b);
        if (larger == smaller)
            return;
        if (m_entries[larger].size < m_entries[smaller].size)
            std::swap(larger, smaller);
        Entry &into = m_entries[larger];
        Entry &from = m_entries[smaller];
        from.parent = larger;
        into.size += from.size;
        m_steps += 1 + from.watched.size();
        into.watched.insert(into.watched.end(), from.watched.begin(), from.watched.end());
        from.watched.clear();
    }

    void watch(Value *v) { m_entries[find(v)].watched.push_back(v); }
    // The watched values that are this memory now, each given out once.
    std::vector<Value *> takeWatched(const Value *v) { return std::exchange(m_entries[find(v)].watched, {}); }
    // From now on the value is another one; what it was before stays where it is.
    void renew(const Value *v) { m_places.erase(v); }
    [[nodiscard]] std::size_t steps() const { return m_steps; }

private:
    struct Entry
    {
        std::size_t parent;
        std::size_t size;
        std::vector<Value *> watched; // of a root, all of its members'
    };

    std::size_t placeOf(const Value *v)
    {
        const auto [place, isNew] = m_places.try_emplace(v, m_entries.size());
        if (isNew)
            m_entries.push_back({m_entries.size(), 1, {}});
        return place->second;
    }

    std::unordered_map<const Value *, std::size_t> m_places;
    std::vector<Entry> m_entries;
    std::size_t m_steps = 0; // from one value to the next, and of those that are watched
};

// What the blocks of a node join and write, node by node. Two kinds of memory are kept apart: that of tensors, also of
// those inside a list, and the list itself. A write reaches what is one memory with its operand by then: a mask that an
// if returns as it is in one branch, and fills a copy of in the other, is not written.
struct BlockMemory
{
    Classes tensors;
    Classes containers;
    std::unordered_set<Value *> tensorWrites; // of what comes from outside
    std::unordered_set<Value *> containerWrites;

    explicit BlockMemory(const std::vector<Value *> &used)
    {
        for (Value *value : used) {
            tensors.watch(value);
            containers.watch(value);
        }
    }

    void join(Value *a, Value *b)
    {
        tensors.join(a, b);
        if (mayBeContainer(a->type()) && mayBeContainer(b->type()))
            containers.join(a, b);
    }

    void writeTensors(Value *value) { add(tensorWrites, tensors.takeWatched(value)); }
    void writeItems(Value *value) { add(containerWrites, containers.takeWatched(value)); }

    // Each round of a loop makes new values.
    void renew(const Block &block)
    {
        for (const Node *node : block.nodes())
            for (const Value *made : node->outputs()) {
                tensors.renew(made);
                containers.renew(made);
            }
    }

    void take(const MemoryFacts &facts)
    {
        for (const auto &[a, b] : facts.shares)
            join(a, b);
        const std::unordered_set<Value *> itemsOnly(facts.containerWrites.begin(), facts.containerWrites.end());
        for (Value *value : itemsOnly)
            writeItems(value);
        for (Value *value : facts.writes)
            if (itemsOnly.count(value) == 0)
                writeTensors(value);
    }

private:
    static void add(std::unordered_set<Value *> &written, const std::vector<Value *> &values)
    {
        written.insert(values.begin(), values.end());
    }
};

// What a block of a loop is given: inputs 1.. are carried from operands 2.. of the node, or from the round before.
void joinCarried(Node &loop, Block &block, BlockMemory &memory)
{
    for (std::size_t i = 1; i < block.inputs().size(); ++i) {
        if (!hasMemory(block.inputs()[i]->type()))
            continue;
        memory.join(block.inputs()[i], loop.inputs()[i + 1]);
        memory.join(block.inputs()[i], loop.outputs()[i - 1]);
    }
}

// What comes out of a block. If: block outputs are the node's. Loop: those from 1 on are.
void joinResults(Node &node, Block &block, BlockMemory &memory)
{
    const std::size_t skip = node.kind() == c10::prim::Loop ? 1 : 0;
    for (std::size_t i = skip; i < block.outputs().size() && i - skip < node.outputs().size(); ++i)
        if (hasMemory(block.outputs()[i]->type()))
            memory.join(node.outputs()[i - skip], block.outputs()[i]);
}

// Which of the values to join, by place, so that those are one that are one memory: around a tensor where there is one,
// and lists and dicts with each other where they are one too. What only holds the same tensors stays two.
std::vector<std::pair<std::size_t, std::size_t>> joined(const std::vector<Value *> &values, BlockMemory &memory)
{
    std::unordered_map<std::size_t, std::size_t> centres; // by what stands for the memory
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (!hasMemory(values[i]->type()))
            continue;
        const auto [entry, added] = centres.emplace(memory.tensors.find(values[i]), i);
        if (!added && mayBeContainer(values[entry->second]->type()) && !mayBeContainer(values[i]->type()))
            entry->second = i;
    }
    std::vector<std::pair<std::size_t, std::size_t>> pairs;
    std::unordered_map<std::size_t, std::size_t> first; // lists and dicts
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (!hasMemory(values[i]->type()))
            continue;
        const std::size_t centre = centres.at(memory.tensors.find(values[i]));
        if (centre != i)
            pairs.emplace_back(i, centre);
        // Where a list is the centre, too: two names of one dict are not joined by it (partition/call_containers.h).
        if (!mayBeContainer(values[i]->type()))
            continue;
        const auto [entry, added] = first.emplace(memory.containers.find(values[i]), i);
        if (!added && entry->second != centre)
            pairs.emplace_back(i, entry->second);
    }
    return pairs;
}

// The facts of a node from those of its blocks, seen from outside.
MemoryFacts outsideFacts(Node &node, const std::vector<Value *> &used, BlockMemory &memory)
{
    std::vector<Value *> outside = used;
    outside.insert(outside.end(), node.outputs().begin(), node.outputs().end());
    MemoryFacts facts;
    for (const auto &[a, b] : joined(outside, memory))
        facts.shares.emplace_back(outside[a], outside[b]);
    for (Value *value : used) {
        const bool tensor = memory.tensorWrites.count(value) > 0;
        const bool container = memory.containerWrites.count(value) > 0;
        if (tensor || container)
            facts.writes.push_back(value);
        if (container && !tensor)
            facts.containerWrites.push_back(value);
    }
    return facts;
}

// Deeper calls are taken for ones that may do anything.
constexpr int DeepestCall = 200;

Graph *graphOf(torch::jit::Function *function)
{
    torch::jit::GraphFunction *const known = function ? torch::jit::tryToGraphFunction(*function) : nullptr;
    return known ? known->graph().get() : nullptr;
}

// Attributes assigned in a called method change its module, and no tensor; no node of the graph says that of them.
void addAssigned(Block &block, BlockMemory &memory)
{
    for (Node *node : block.nodes()) {
        if (node->kind() == c10::prim::SetAttr)
            memory.writeItems(node->input(0));
        for (Block *inner : node->blocks())
            addAssigned(*inner, memory);
    }
}

} // namespace

Graph *calledBy(const Node &node)
{
    if (node.hasAttribute(c10::attr::Subgraph))
        return node.g(c10::attr::Subgraph).get();
    if (node.kind() == c10::prim::CallMethod)
        if (const auto type = node.input(0)->type()->cast<c10::ClassType>())
            return graphOf(type->findMethod(node.s(c10::attr::name)));
    if (node.kind() == c10::prim::CallFunction)
        if (const auto type = node.input(0)->type()->cast<c10::FunctionType>())
            return graphOf(type->function());
    return nullptr;
}

bool hasMemory(const c10::TypePtr &type)
{
    if (isPlain(type->kind()))
        return false;
    switch (type->kind()) {
    case c10::TypeKind::FunctionType:
        return false;
    case c10::TypeKind::OptionalType:
    case c10::TypeKind::TupleType:
    case c10::TypeKind::UnionType: {
        const auto contained = type->containedTypes();
        return std::any_of(contained.begin(), contained.end(), [](const c10::TypePtr &t) { return hasMemory(t); });
    }
    default:
        return true;
    }
}

std::vector<Value *> GraphMemory::usedValues(Node &node)
{
    if (const auto found = m_used.find(&node); found != m_used.end())
        return found->second;
    std::vector<Value *> used;
    std::unordered_set<Value *> seen;
    const auto take = [&](Value *value) {
        const Block *const home = value->node()->owningBlock();
        const bool madeInside = home && home->owningNode() == &node;
        if (!madeInside && seen.insert(value).second)
            used.push_back(value);
    };
    for (Value *input : node.inputs())
        take(input);
    for (Block *block : node.blocks()) {
        for (Node *inner : block->nodes())
            for (Value *value : usedValues(*inner))
                take(value);
        for (Value *output : block->outputs())
            take(output);
    }
    if (!node.blocks().empty())
        m_used.emplace(&node, used);
    return used;
}

MemoryFacts GraphMemory::facts(Node &node)
{
    ++m_steps;
    if (Graph *const callee = m_depth < DeepestCall ? calledBy(node) : nullptr)
        return callFacts(node, *callee);
    if (node.blocks().empty())
        return operatorFacts(node);
    if (const auto found = m_facts.find(&node); found != m_facts.end())
        return found->second;
    const std::vector<Value *> used = usedValues(node);
    BlockMemory memory(used);
    // A loop's next round begins with what the last one joined. Of the other nodes no block runs after another.
    const bool loop = node.kind() == c10::prim::Loop;
    for (int round = 0; round < (loop ? 2 : 1); ++round) {
        for (Block *block : node.blocks()) {
            if (loop)
                joinCarried(node, *block, memory);
            memory.renew(*block);
            for (Node *inner : block->nodes())
                memory.take(facts(*inner));
            joinResults(node, *block, memory);
        }
    }
    m_steps += memory.tensors.steps() + memory.containers.steps();
    return m_facts.emplace(&node, outsideFacts(node, used, memory)).first->second;
}

const GraphMemory::CalledFacts &GraphMemory::calledFacts(Graph &callee)
{
    if (const auto found = m_called.find(&callee); found != m_called.end())
        return found->second;
    const std::vector<Value *> inputs = callee.inputs().vec();
    BlockMemory memory(inputs);
    ++m_depth;
    for (Node *inner : callee.nodes())
        memory.take(facts(*inner));
    --m_depth;
    addAssigned(*callee.block(), memory);
    m_steps += memory.tensors.steps() + memory.containers.steps();

    CalledFacts called;
    std::vector<Value *> ends = inputs;
    ends.insert(ends.end(), callee.outputs().begin(), callee.outputs().end());
    called.shares = joined(ends, memory);
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        const bool tensor = memory.tensorWrites.count(inputs[i]) > 0;
        const bool container = memory.containerWrites.count(inputs[i]) > 0;
        if (tensor || container)
            called.writes.push_back(i);
        if (container && !tensor)
            called.containerWrites.push_back(i);
    }
    return m_called.emplace(&callee, std::move(called)).first->second;
}

MemoryFacts GraphMemory::callFacts(Node &node, Graph &callee)
{
    // The first operand of a call of a function is the function.
    const std::size_t skip = node.kind() == c10::prim::CallFunction ? 1 : 0;
    const std::size_t inputs = callee.inputs().size();
    if (node.inputs().size() != inputs + skip || node.outputs().empty())
        return operatorFacts(node);
    const CalledFacts &called = calledFacts(callee);
    const auto valueAt = [&](std::size_t place) {
        if (place < inputs)
            return node.inputs()[place + skip];
        return node.outputs()[std::min(place - inputs, node.outputs().size() - 1)]; // a future has all results
    };
    MemoryFacts facts;
    for (const std::size_t place : called.writes)
        facts.writes.push_back(valueAt(place));
    for (const std::size_t place : called.containerWrites)
        facts.containerWrites.push_back(valueAt(place));
    for (const auto &[a, b] : called.shares)
        facts.shares.emplace_back(valueAt(a), valueAt(b));
    return facts;
}

} // namespace pipescope::import

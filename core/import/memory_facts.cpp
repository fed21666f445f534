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
    Value *find(Value *v)
    {
        Entry *entry = &entryOf(v);
        while (entry->parent != v) {
            ++m_steps;
            Entry &parent = entryOf(entry->parent);
            entry->parent = parent.parent;
            v = entry->parent;
            entry = &entryOf(v);
        }
        return v;
    }

    void join(Value *a, Value *b)
    {
        Value *larger = find(a);
        Value *smaller = find(b);
        if (larger == smaller)
            return;
        if (entryOf(larger).size < entryOf(smaller).size)
            std::swap(larger, smaller);
        Entry &into = entryOf(larger);
        Entry &from = entryOf(smaller);
        from.parent = larger;
        into.size += from.size;
        m_steps += 1 + from.watched.size();
        into.watched.insert(into.watched.end(), from.watched.begin(), from.watched.end());
        from.watched.clear();
    }

    void watch(Value *v) { entryOf(find(v)).watched.push_back(v); }
    // The watched values that are this memory now, each given out once.
    std::vector<Value *> takeWatched(Value *v) { return std::exchange(entryOf(find(v)).watched, {}); }
    [[nodiscard]] std::size_t steps() const { return m_steps; }

private:
    struct Entry
    {
        Value *parent;
        std::size_t size;
        std::vector<Value *> watched; // of a root, all of its members'
    };
    Entry &entryOf(Value *v) { return m_entries.try_emplace(v, Entry{v, 1, {}}).first->second; }

    std::unordered_map<Value *, Entry> m_entries;
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

    void take(const MemoryFacts &facts)
    {
        for (const auto &[a, b] : facts.shares)
            join(a, b);
        const std::unordered_set<Value *> itemsOnly(facts.containerWrites.begin(), facts.containerWrites.end());
        for (Value *value : itemsOnly)
            add(containerWrites, containers.takeWatched(value));
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

// What goes into a block and comes out of it. If: block outputs are the node's. Loop: outputs 1.. are, inputs 1.. of
// the block are carried from them and from operands 2.. of the node.
void joinEnds(Node &node, Block &block, BlockMemory &memory)
{
    const bool loop = node.kind() == c10::prim::Loop;
    const std::size_t skip = loop ? 1 : 0;
    for (std::size_t i = skip; i < block.outputs().size() && i - skip < node.outputs().size(); ++i)
        if (hasMemory(block.outputs()[i]->type()))
            memory.join(node.outputs()[i - skip], block.outputs()[i]);
    for (std::size_t i = 1; loop && i < block.inputs().size(); ++i) {
        if (!hasMemory(block.inputs()[i]->type()))
            continue;
        memory.join(block.inputs()[i], node.inputs()[i + 1]);
        memory.join(block.inputs()[i], node.outputs()[i - 1]);
    }
}

// The facts of a node from those of its blocks, seen from outside.
MemoryFacts outsideFacts(Node &node, const std::vector<Value *> &used, BlockMemory &memory)
{
    std::vector<Value *> outside = used;
    outside.insert(outside.end(), node.outputs().begin(), node.outputs().end());
    MemoryFacts facts;
    std::unordered_map<Value *, Value *> first;
    for (Value *value : outside) {
        if (!hasMemory(value->type()))
            continue;
        const auto [entry, added] = first.emplace(memory.tensors.find(value), value);
        if (!added)
            facts.shares.emplace_back(value, entry->second);
    }
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

// Attributes assigned in a called method change its module; no node of the graph says that of them.
void addAssigned(Block &block, BlockMemory &memory)
{
    for (Node *node : block.nodes()) {
        if (node->kind() == c10::prim::SetAttr)
            memory.writeTensors(node->input(0));
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
                joinEnds(node, *block, memory);
            for (Node *inner : block->nodes())
                memory.take(facts(*inner));
        }
    }
    for (Block *block : node.blocks())
        joinEnds(node, *block, memory);
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
    std::unordered_map<Value *, std::size_t> first;
    for (std::size_t i = 0; i < ends.size(); ++i) {
        if (!hasMemory(ends[i]->type()))
            continue;
        const auto [entry, added] = first.emplace(memory.tensors.find(ends[i]), i);
        if (!added)
            called.shares.emplace_back(i, entry->second);
    }
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

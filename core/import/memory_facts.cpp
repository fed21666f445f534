#include "import/memory_facts.h"

#include <ATen/core/function_schema.h>
#include <algorithm>
#include <torch/csrc/jit/ir/constants.h>
#include <torch/csrc/jit/runtime/operator.h>
#include <unordered_map>
#include <unordered_set>
#include <utility>

namespace pipescope::import {

namespace {

using torch::jit::Block;
using torch::jit::Node;
using torch::jit::Value;

// Operators whose schema says the result is fresh although it can be the operand itself (dropout in eval mode is).
bool mayReturnOperand(c10::Symbol kind)
{
    static const std::unordered_set<c10::Symbol> kinds = [] {
        std::unordered_set<c10::Symbol> set;
        for (const char *name :
             {"aten::dropout",           "aten::feature_dropout", "aten::alpha_dropout", "aten::feature_alpha_dropout",
              "aten::atleast_1d",        "aten::atleast_2d",      "aten::atleast_3d",    "aten::type_as",
              "aten::broadcast_tensors", "aten::meshgrid",        "aten::dequantize",    "aten::einsum",
              "aten::chain_matmul",      "aten::_cast_Float",     "aten::_cast_Double",  "aten::_cast_Half",
              "aten::_cast_Long",        "aten::_cast_Int",       "aten::cpu",           "aten::cuda",
              "aten::pin_memory"})
            set.insert(c10::Symbol::fromQualString(name));
        return set;
    }();
    return kinds.count(kind) > 0;
}

void shareAll(Node &node, MemoryFacts &facts)
{
    for (Value *output : node.outputs())
        for (Value *input : node.inputs())
            if (hasMemory(output->type()) && hasMemory(input->type()))
                facts.shares.emplace_back(output, input);
}

bool intersects(const std::unordered_set<c10::Symbol> &a, const std::unordered_set<c10::Symbol> &b)
{
    return std::any_of(a.begin(), a.end(), [&](c10::Symbol s) { return b.count(s) > 0; });
}

// A set of the schema's alias annotations, those of a container's elements included.
std::unordered_set<c10::Symbol> aliasSets(const c10::AliasInfo *info)
{
    std::unordered_set<c10::Symbol> sets;
    if (!info)
        return sets;
    sets.insert(info->beforeSets().begin(), info->beforeSets().end());
    sets.insert(info->afterSets().begin(), info->afterSets().end());
    for (const c10::AliasInfo &contained : info->containedTypes()) {
        sets.insert(contained.beforeSets().begin(), contained.beforeSets().end());
        sets.insert(contained.afterSets().begin(), contained.afterSets().end());
    }
    return sets;
}

// Whether a value can be a list, dict or object, or hold one: something that has items besides their memory.
bool mayBeContainer(const c10::TypePtr &type)
{
    if (const auto optional = type->cast<c10::OptionalType>())
        return mayBeContainer(optional->getElementType());
    return hasMemory(type) && !type->isSubtypeOf(*c10::TensorType::get());
}

// append, insert, clear, _set_item and the like, as against _foreach_add_(Tensor(a!)[] self).
bool writesItemsOnly(const Value &value, const c10::AliasInfo &info)
{
    const auto &contained = info.containedTypes();
    return (value.type()->kind() == c10::TypeKind::ListType || value.type()->kind() == c10::TypeKind::DictType) &&
           std::none_of(contained.begin(), contained.end(), [](const c10::AliasInfo &item) { return item.isWrite(); });
}

void schemaFacts(Node &node, const c10::FunctionSchema &schema, MemoryFacts &facts)
{
    const c10::Symbol wildcard = c10::AliasInfo::wildcardSet();
    const std::size_t arguments = std::min(schema.arguments().size(), node.inputs().size());
    for (std::size_t i = 0; i < arguments; ++i) {
        const c10::AliasInfo *const info = schema.arguments()[i].alias_info();
        if (!info)
            continue;
        Value *const input = node.inputs()[i];
        if (info->isWrite())
            facts.writes.push_back(input);
        if (info->isWrite() && writesItemsOnly(*input, *info))
            facts.containerWrites.push_back(input);
        // An element stored into a container of the same call (append, _set_item).
        if (aliasSets(info).count(wildcard) && !info->isWrite())
            for (std::size_t k = 0; k < arguments; ++k)
                if (const auto *other = schema.arguments()[k].alias_info(); other && other->isWrite())
                    facts.shares.emplace_back(node.inputs()[k], input);
    }
    for (std::size_t o = 0; o < std::min(schema.returns().size(), node.outputs().size()); ++o) {
        Value *const output = node.outputs()[o];
        const auto returned = aliasSets(schema.returns()[o].alias_info());
        for (std::size_t i = 0; i < arguments; ++i) {
            Value *const input = node.inputs()[i];
            if (!hasMemory(output->type()) || !hasMemory(input->type()))
                continue;
            const auto taken = aliasSets(schema.arguments()[i].alias_info());
            if (returned.count(wildcard) || intersects(returned, taken) || mayReturnOperand(node.kind()))
                facts.shares.emplace_back(output, input);
        }
    }
}

// Batch norm's schema does not say that it moves its running statistics while training.
void addStatistics(Node &node, MemoryFacts &facts)
{
    constexpr std::size_t RunningMean = 3;
    constexpr std::size_t RunningVar = 4;
    constexpr std::size_t Training = 5; // instance_norm has use_input_stats there
    static const std::unordered_set<c10::Symbol> kinds{
        c10::Symbol::fromQualString("aten::batch_norm"), c10::Symbol::fromQualString("aten::instance_norm"),
        c10::Symbol::fromQualString("aten::native_batch_norm"), c10::Symbol::fromQualString("aten::cudnn_batch_norm"),
        c10::Symbol::fromQualString("aten::_batch_norm_impl_index")};
    if (kinds.count(node.kind()) == 0 || node.inputs().size() <= Training)
        return;
    const auto training = torch::jit::toIValue(node.input(Training));
    if (training && training->isBool() && !training->toBool())
        return;
    for (const std::size_t statistic : {RunningMean, RunningVar})
        if (hasMemory(node.input(statistic)->type()))
            facts.writes.push_back(node.input(statistic));
}

// Sets of values that are one memory, joined by size so that long chains stay cheap. Some of the values are watched.
class Classes
{
public:
    Value *find(Value *v)
    {
        Entry *entry = &entryOf(v);
        while (entry->parent != v) {
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
        into.watched.insert(into.watched.end(), from.watched.begin(), from.watched.end());
        from.watched.clear();
    }

    void watch(Value *v) { entryOf(find(v)).watched.push_back(v); }
    // The watched values that are this memory now, each given out once.
    std::vector<Value *> takeWatched(Value *v) { return std::exchange(entryOf(find(v)).watched, {}); }

private:
    struct Entry
    {
        Value *parent;
        std::size_t size;
        std::vector<Value *> watched; // of a root, all of its members'
    };
    Entry &entryOf(Value *v) { return m_entries.try_emplace(v, Entry{v, 1, {}}).first->second; }

    std::unordered_map<Value *, Entry> m_entries;
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

    void take(const MemoryFacts &facts)
    {
        for (const auto &[a, b] : facts.shares)
            join(a, b);
        const std::unordered_set<Value *> itemsOnly(facts.containerWrites.begin(), facts.containerWrites.end());
        for (Value *value : itemsOnly)
            add(containerWrites, containers.takeWatched(value));
        for (Value *value : facts.writes)
            if (itemsOnly.count(value) == 0)
                add(tensorWrites, tensors.takeWatched(value));
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

// Calls that could not be inlined, and operators without a schema that say nothing: anything may happen to their
// operands.
MemoryFacts unknownFacts(Node &node)
{
    MemoryFacts facts;
    shareAll(node, facts);
    for (Value *input : node.inputs())
        if (hasMemory(input->type()))
            facts.writes.push_back(input);
    return facts;
}

// Facts of a node without blocks.
MemoryFacts plainFacts(Node &node)
{
    MemoryFacts facts;
    switch (node.kind()) {
    case c10::prim::Constant:
    case c10::prim::Uninitialized:
        return facts;
    case c10::prim::GetAttr:
    case c10::prim::TupleConstruct:
    case c10::prim::TupleUnpack:
    case c10::prim::TupleIndex:
    case c10::prim::TupleSlice:
    case c10::prim::ListConstruct:
    case c10::prim::ListUnpack:
    case c10::prim::DictConstruct:
    case c10::prim::unchecked_cast:
    case c10::prim::unchecked_unwrap_optional:
    case c10::prim::CreateObject:
        shareAll(node, facts);
        return facts;
    case c10::prim::SetAttr:
        // Handled as state where the owner is a module; for a plain class instance it changes the instance.
        facts.shares.emplace_back(node.input(0), node.input(1));
        if (const auto type = node.input(0)->type()->cast<c10::ClassType>(); !type || !type->is_module())
            facts.writes.push_back(node.input(0));
        return facts;
    case c10::prim::CallMethod:
    case c10::prim::CallFunction:
        return unknownFacts(node);
    default:
        break;
    }
    const c10::FunctionSchema *const schema = node.maybeSchema();
    if (!schema)
        return node.kind().is_prim() ? (shareAll(node, facts), facts) : unknownFacts(node);
    const torch::jit::Operator *const op = node.maybeOperator();
    if (op && op->aliasAnalysisKind() == c10::AliasAnalysisKind::CONSERVATIVE)
        return unknownFacts(node);
    schemaFacts(node, *schema, facts);
    addStatistics(node, facts);
    // prim:: helpers such as prim::NumToTensor are fresh; the ones that pass their operand on have no alias
    // annotations.
    if (node.kind().is_prim() && facts.shares.empty() && op &&
        op->aliasAnalysisKind() != c10::AliasAnalysisKind::FROM_SCHEMA)
        shareAll(node, facts);
    return facts;
}

} // namespace

bool hasMemory(const c10::TypePtr &type)
{
    switch (type->kind()) {
    case c10::TypeKind::IntType:
    case c10::TypeKind::FloatType:
    case c10::TypeKind::ComplexType:
    case c10::TypeKind::BoolType:
    case c10::TypeKind::StringType:
    case c10::TypeKind::NoneType:
    case c10::TypeKind::NumberType:
    case c10::TypeKind::DeviceObjType:
    case c10::TypeKind::ScalarTypeType:
    case c10::TypeKind::LayoutType:
    case c10::TypeKind::MemoryFormatType:
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
    if (node.blocks().empty())
        return plainFacts(node);
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
    return m_facts.emplace(&node, outsideFacts(node, used, memory)).first->second;
}

} // namespace pipescope::import

#include "import/operator_memory.h"

#include "import/operator_questions.h"
#include "ops/operator.h"

#include <ATen/core/function_schema.h>
#include <algorithm>
#include <cstddef>
#include <torch/csrc/jit/ir/constants.h>
#include <torch/csrc/jit/runtime/operator.h>
#include <unordered_set>

namespace pipescope::import {

namespace {

using torch::jit::Node;
using torch::jit::Value;

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

// append, insert, clear, _set_item and the like, as against _foreach_add_(Tensor(a!)[] self).
bool writesItemsOnly(const Value &value, const c10::AliasInfo &info)
{
    const auto &contained = info.containedTypes();
    return (value.type()->kind() == c10::TypeKind::ListType || value.type()->kind() == c10::TypeKind::DictType) &&
           std::none_of(contained.begin(), contained.end(), [](const c10::AliasInfo &item) { return item.isWrite(); });
}

// Whether a result of this type holds others whose memory it may have been given: a list of tensors, not a tensor or a
// list of numbers.
bool holdsItems(const c10::TypePtr &type)
{
    switch (type->kind()) {
    case c10::TypeKind::TensorType:
        return false;
    case c10::TypeKind::ClassType:
    case c10::TypeKind::InterfaceType:
    case c10::TypeKind::AnyType:
        return true;
    case c10::TypeKind::OptionalType:
    case c10::TypeKind::UnionType: {
        const auto contained = type->containedTypes();
        return std::any_of(contained.begin(), contained.end(), holdsItems);
    }
    default: {
        const auto contained = type->containedTypes();
        return std::any_of(contained.begin(), contained.end(), hasMemory);
    }
    }
}

// What the schema says of a result's memory. Without an annotation the result itself is fresh, but the items of a fresh
// container may be whatever went in: AliasDb::giveFreshAlias makes them wildcards
// (torch/csrc/jit/ir/alias_analysis.cpp).
struct ReturnedMemory
{
    ReturnedMemory(const c10::Argument &declared, const Value &output, ops::Memory memory)
        : sets(aliasSets(declared.alias_info()))
        , mayBeFirst(memory == ops::Memory::MayReturnFirst)
        , mayBeAny(memory == ops::Memory::MayReturnOperand || sets.count(c10::AliasInfo::wildcardSet()) > 0 ||
                   (sets.empty() && !mayBeFirst && holdsItems(output.type())))
    {
    }

    [[nodiscard]] bool mayBe(std::size_t operand, const c10::AliasInfo *declared) const
    {
        return mayBeAny || (mayBeFirst && operand == 0) || intersects(sets, aliasSets(declared));
    }

    std::unordered_set<c10::Symbol> sets;
    bool mayBeFirst;
    bool mayBeAny;
};

void schemaFacts(Node &node, const c10::FunctionSchema &schema, ops::Memory memory, MemoryFacts &facts)
{
    const std::size_t arguments = std::min(schema.arguments().size(), node.inputs().size());
    for (std::size_t i = 0; i < arguments; ++i) {
        const c10::AliasInfo *const info = schema.arguments()[i].alias_info();
        if (!info || !info->isWrite() || memory == ops::Memory::MarksTensor)
            continue;
        Value *const input = node.inputs()[i];
        facts.writes.push_back(input);
        if (!writesItemsOnly(*input, *info))
            continue;
        facts.containerWrites.push_back(input);
        // Items come from the other operands. append says so of its operand (t(c -> *)), extend and update do not.
        for (std::size_t k = 0; k < arguments; ++k)
            if (k != i && holdsItems(input->type()) && hasMemory(node.inputs()[k]->type()))
                facts.shares.emplace_back(input, node.inputs()[k]);
    }
    for (std::size_t o = 0; o < std::min(schema.returns().size(), node.outputs().size()); ++o) {
        Value *const output = node.outputs()[o];
        if (!hasMemory(output->type()))
            continue;
        const ReturnedMemory returned(schema.returns()[o], *output, memory);
        for (std::size_t i = 0; i < arguments; ++i) {
            Value *const input = node.inputs()[i];
            if (hasMemory(input->type()) && returned.mayBe(i, schema.arguments()[i].alias_info()))
                facts.shares.emplace_back(output, input);
        }
    }
}

void addStatistics(Node &node, const ops::Statistics &statistics, MemoryFacts &facts)
{
    if (node.inputs().size() <= std::max({statistics.mean, statistics.variance, statistics.training}))
        return;
    const auto training = torch::jit::toIValue(node.input(statistics.training));
    if (training && training->isBool() && !training->toBool())
        return;
    for (const std::size_t statistic : {statistics.mean, statistics.variance})
        if (hasMemory(node.input(statistic)->type()))
            facts.writes.push_back(node.input(statistic));
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

} // namespace

bool mayBeContainer(const c10::TypePtr &type)
{
    if (const auto optional = type->cast<c10::OptionalType>())
        return mayBeContainer(optional->getElementType());
    return hasMemory(type) && !type->isSubtypeOf(*c10::TensorType::get());
}

MemoryFacts operatorFacts(Node &node)
{
    MemoryFacts facts;
    const ops::Operator &row = ops::of(node.kind().toQualString());
    switch (row.memory) {
    case ops::Memory::Nothing:
        return facts;
    case ops::Memory::SharesAll:
    case ops::Memory::ReadsAttribute:
        shareAll(node, facts);
        return facts;
    case ops::Memory::SetsAttribute:
        // Handled as state where the owner is a module; for a plain class instance it changes the instance, and no
        // tensor that it holds.
        if (hasMemory(node.input(1)->type()))
            facts.shares.emplace_back(node.input(0), node.input(1));
        if (const auto type = node.input(0)->type()->cast<c10::ClassType>(); !type || !type->is_module()) {
            facts.writes.push_back(node.input(0));
            facts.containerWrites.push_back(node.input(0));
        }
        return facts;
    case ops::Memory::Anything:
        return unknownFacts(node);
    case ops::Memory::AsSchema:
    case ops::Memory::MarksTensor:
    case ops::Memory::MayReturnOperand:
    case ops::Memory::MayReturnFirst:
        break;
    }
    const c10::FunctionSchema *const schema = schemaOf(node);
    if (!schema)
        return node.kind().is_prim() ? (shareAll(node, facts), facts) : unknownFacts(node);
    const std::optional<c10::AliasAnalysisKind> kind = aliasKindOf(node);
    if (kind == c10::AliasAnalysisKind::CONSERVATIVE)
        return unknownFacts(node);
    schemaFacts(node, *schema, row.memory, facts);
    if (row.statistics)
        addStatistics(node, *row.statistics, facts);
    // prim:: helpers such as prim::NumToTensor are fresh; the ones that pass their operand on have no alias
    // annotations.
    if (node.kind().is_prim() && facts.shares.empty() && kind != c10::AliasAnalysisKind::FROM_SCHEMA)
        shareAll(node, facts);
    return facts;
}

} // namespace pipescope::import

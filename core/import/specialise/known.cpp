#include "import/specialise/known.h"

#include <utility>

namespace pipescope::import {

using torch::jit::Node;
using torch::jit::Value;

namespace {

// Null for a constant, which says itself, and for a function.
c10::TypePtr typeOf(const Known &known)
{
    if (known.type)
        return known.type;
    if (known.module)
        return known.module->type();
    return known.value ? known.value->type() : nullptr;
}

std::optional<c10::IValue> freshContainer(const Value &value, const Frame &frame)
{
    const Node &maker = *value.node();
    const bool isList = maker.kind() == c10::prim::ListConstruct;
    if (value.uses().size() != 1 || (!isList && maker.kind() != c10::prim::DictConstruct))
        return std::nullopt;
    std::vector<c10::IValue> items;
    for (const Value *input : maker.inputs()) {
        const std::optional<c10::IValue> &item = frame.at(input).constant;
        if (!item || !isPlainConstant(*item))
            return std::nullopt;
        items.push_back(*item);
    }
    const auto contained = value.type()->containedTypes();
    if (isList) {
        c10::impl::GenericList list(contained.at(0));
        for (c10::IValue &item : items)
            list.push_back(std::move(item));
        return c10::IValue(list);
    }
    c10::impl::GenericDict dict(contained.at(0), contained.at(1));
    for (std::size_t i = 0; i + 1 < items.size(); i += 2)
        dict.insert_or_assign(items[i], items[i + 1]);
    return c10::IValue(dict);
}

} // namespace

Known knownValue(Value *value)
{
    return {value, nullptr, {}, std::nullopt};
}

Known knownConstant(c10::IValue constant)
{
    return {nullptr, nullptr, {}, std::move(constant)};
}

std::vector<KnownOperand> knownOperands(const Node &node, const Frame &frame)
{
    std::vector<KnownOperand> operands;
    for (const Value *input : node.inputs()) {
        const Known &known = frame.at(input);
        operands.push_back({known.constant, typeOf(known)});
        if (std::optional<c10::IValue> container = freshContainer(*input, frame))
            operands.back() = {std::move(container), input->type(), true};
    }
    return operands;
}

bool isNoCast(const Node &node, const Known &operand)
{
    return (node.kind() == c10::prim::unchecked_cast || node.kind() == c10::prim::unchecked_unwrap_optional) &&
           operand.value && operand.value->type()->isSubtypeOf(*node.output()->type());
}

void keepItems(const Node &tupleConstruct, Frame &frame)
{
    for (const Value *input : tupleConstruct.inputs())
        frame[tupleConstruct.output()].items.push_back(frame.at(input).constant);
}

bool unpackConstant(const Node &tupleUnpack, Frame &frame)
{
    const std::optional<c10::IValue> tuple = frame.at(tupleUnpack.input()).constant;
    if (!tuple || !tuple->isTuple() || tuple->toTupleRef().elements().size() != tupleUnpack.outputs().size())
        return false;
    for (std::size_t i = 0; i < tupleUnpack.outputs().size(); ++i)
        frame[tupleUnpack.outputs()[i]] = knownConstant(tuple->toTupleRef().elements()[i]);
    return true;
}

void unpackItems(const Node &tupleUnpack, Frame &frame)
{
    const std::vector<std::optional<c10::IValue>> items = frame.at(tupleUnpack.input()).items;
    for (std::size_t i = 0; i < items.size() && i < tupleUnpack.outputs().size(); ++i)
        if (items[i])
            frame[tupleUnpack.outputs()[i]] = knownConstant(*items[i]);
}

bool indexItem(const Node &tupleIndex, Frame &frame)
{
    const std::vector<std::optional<c10::IValue>> items = frame.at(tupleIndex.input(0)).items;
    const std::optional<c10::IValue> &index = frame.at(tupleIndex.input(1)).constant;
    if (!index || !index->isInt() || index->toInt() < 0 || index->toInt() >= static_cast<std::int64_t>(items.size()))
        return false;
    const std::optional<c10::IValue> &item = items[static_cast<std::size_t>(index->toInt())];
    if (item)
        frame[tupleIndex.output()] = knownConstant(*item);
    return item.has_value();
}

std::optional<c10::IValue> sameInBothBranches(const Node &node, std::size_t index, const Frame &frame)
{
    if (node.kind() != c10::prim::If)
        return std::nullopt;
    const std::optional<c10::IValue> &one = frame.at(node.blocks()[0]->outputs()[index]).constant;
    const std::optional<c10::IValue> &other = frame.at(node.blocks()[1]->outputs()[index]).constant;
    return one && other && isSameConstant(*one, *other) ? one : std::nullopt;
}

} // namespace pipescope::import

#include "import/fold.h"

#include "import/operator_questions.h"
#include "import/trapping_division.h"
#include "import/type_test.h"

#include <algorithm>
#include <cstdint>
#include <exception>
#include <torch/csrc/jit/runtime/operator.h>

namespace pipescope::import {

namespace {

using torch::jit::Node;

std::optional<bool> isInstance(const KnownOperand &operand, at::ArrayRef<c10::TypePtr> tested)
{
    if (operand.constant) { // as the interpreter does
        const c10::TypePtr type = operand.constant->type();
        return std::any_of(tested.begin(), tested.end(),
                           [&](const c10::TypePtr &one) { return type->isSubtypeOf(*one); });
    }
    return operand.type ? import::isInstance(*operand.type, tested) : std::nullopt;
}

std::optional<c10::IValue> foldTypeTest(const Node &node, const std::vector<KnownOperand> &operands)
{
    if (node.kind() == c10::prim::isinstance && operands.size() == 1) {
        const std::optional<bool> decided = isInstance(operands.front(), node.tys(c10::attr::types));
        return decided ? std::optional(c10::IValue(*decided)) : std::nullopt;
    }
    const bool is = node.kind() == c10::aten::__is__;
    if ((!is && node.kind() != c10::aten::__isnot__) || operands.size() != 2)
        return std::nullopt;
    const c10::TypePtr none = c10::NoneType::get();
    for (std::size_t i = 0; i < 2; ++i) {
        const std::optional<c10::IValue> &other = operands[1 - i].constant;
        if (!other || !other->isNone())
            continue;
        const std::optional<bool> isNone = isInstance(operands[i], none);
        return isNone ? std::optional(c10::IValue(*isNone == is)) : std::nullopt;
    }
    return std::nullopt;
}

// A tuple of constants, or an item of one.
std::optional<c10::IValue> foldTuple(const Node &node, const std::vector<KnownOperand> &operands)
{
    if (node.kind() == c10::prim::TupleConstruct) {
        const auto type = node.output()->type()->cast<c10::TupleType>();
        if (!type || type->schema() != nullptr) // which a constant's type would not have
            return std::nullopt;
        std::vector<c10::IValue> items;
        items.reserve(operands.size());
        for (const KnownOperand &operand : operands)
            items.push_back(*operand.constant);
        return c10::IValue(c10::ivalue::Tuple::create(std::move(items)));
    }
    if (node.kind() != c10::prim::TupleIndex || !operands[0].constant->isTuple() || !operands[1].constant->isInt())
        return std::nullopt;
    const auto &items = operands[0].constant->toTupleRef().elements();
    const std::int64_t count = static_cast<std::int64_t>(items.size());
    const std::int64_t index = operands[1].constant->toInt();
    const std::int64_t place = index < 0 ? index + count : index;
    return place >= 0 && place < count ? std::optional(items[static_cast<std::size_t>(place)]) : std::nullopt;
}

} // namespace

bool isPlainConstant(const c10::IValue &value)
{
    if (value.isTuple()) {
        const auto &elements = value.toTupleRef().elements();
        return std::all_of(elements.begin(), elements.end(), [](const c10::IValue &v) { return isPlainConstant(v); });
    }
    return value.isNone() || value.isBool() || value.isInt() || value.isDouble() || value.isComplexDouble() ||
           value.isString() || value.isDevice();
}

bool isSameConstant(const c10::IValue &a, const c10::IValue &b)
{
    return (a.isNone() && b.isNone()) || (a.isBool() && b.isBool() && a.toBool() == b.toBool()) ||
           (a.isInt() && b.isInt() && a.toInt() == b.toInt()) ||
           (a.isString() && b.isString() && a.toStringRef() == b.toStringRef()) ||
           (a.isDevice() && b.isDevice() && a.toDevice() == b.toDevice());
}

std::optional<c10::IValue> foldNode(const Node &node, const std::vector<KnownOperand> &operands)
{
    if (node.outputs().size() != 1 || !node.blocks().empty())
        return std::nullopt;
    if (auto decided = foldTypeTest(node, operands))
        return decided;
    const bool allConstant = std::all_of(operands.begin(), operands.end(), [](const KnownOperand &operand) {
        return operand.constant && (operand.isFresh || isPlainConstant(*operand.constant));
    });
    if (!allConstant || operands.empty())
        return std::nullopt;
    if (node.kind() == c10::prim::unchecked_cast || node.kind() == c10::prim::unchecked_unwrap_optional) {
        const std::optional<c10::IValue> &constant = operands.front().constant;
        return constant->type()->isSubtypeOf(*node.output()->type()) ? constant : std::nullopt;
    }
    if (auto folded = foldTuple(node, operands))
        return folded;
    // How long a text becomes is known only when it is made: "a" doubled forty times is a terabyte.
    if (node.output()->type()->kind() == c10::TypeKind::StringType)
        return std::nullopt;
    const torch::jit::Operator *op = operatorOf(node);
    if (!op || hasSideEffects(node) || isNondeterministic(node) || !node.kind().is_aten() ||
        (mayTrap(node) && trapOf(*operands[0].constant, *operands[1].constant) != nullptr))
        return std::nullopt;
    torch::jit::Stack stack;
    for (const KnownOperand &operand : operands)
        stack.push_back(*operand.constant);
    try {
        op->getOperation (&node)(stack);
    } catch (const std::exception &) {
        return std::nullopt; // it will fail, or not, when the model runs
    }
    if (stack.size() != 1 || !isPlainConstant(stack.front()))
        return std::nullopt;
    return stack.front();
}

} // namespace pipescope::import

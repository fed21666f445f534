#include "import/fold.h"

#include <algorithm>
#include <exception>
#include <torch/csrc/jit/runtime/operator.h>

namespace pipescope::import {

namespace {

using torch::jit::Node;

// `x is None` is decided by the type alone where x can never be None.
std::optional<c10::IValue> foldNoneTest(const Node &node, const std::vector<std::optional<c10::IValue>> &inputs)
{
    const bool is = node.kind() == c10::aten::__is__;
    if ((!is && node.kind() != c10::aten::__isnot__) || inputs.size() != 2)
        return std::nullopt;
    for (std::size_t i = 0; i < 2; ++i) {
        const std::optional<c10::IValue> &other = inputs[1 - i];
        if (!other || !other->isNone())
            continue;
        if (inputs[i])
            return c10::IValue(inputs[i]->isNone() == is);
        switch (node.input(i)->type()->kind()) {
        case c10::TypeKind::TensorType:
        case c10::TypeKind::IntType:
        case c10::TypeKind::FloatType:
        case c10::TypeKind::BoolType:
        case c10::TypeKind::StringType:
        case c10::TypeKind::ListType:
        case c10::TypeKind::TupleType:
        case c10::TypeKind::DictType:
        case c10::TypeKind::ClassType:
            return c10::IValue(!is);
        default:
            return std::nullopt;
        }
    }
    return std::nullopt;
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

std::optional<c10::IValue> foldNode(const Node &node, const std::vector<std::optional<c10::IValue>> &inputs)
{
    if (node.outputs().size() != 1 || !node.blocks().empty())
        return std::nullopt;
    if (auto decided = foldNoneTest(node, inputs))
        return decided;
    const bool allConstant =
        std::all_of(inputs.begin(), inputs.end(), [](const auto &input) { return input && isPlainConstant(*input); });
    if (!allConstant || inputs.empty())
        return std::nullopt;
    if (node.kind() == c10::prim::unchecked_cast || node.kind() == c10::prim::unchecked_unwrap_optional)
        return inputs.front();
    // How long a text becomes is known only when it is made: "a" doubled forty times is a terabyte.
    if (node.output()->type()->kind() == c10::TypeKind::StringType)
        return std::nullopt;
    const torch::jit::Operator *op = node.maybeOperator();
    if (!op || node.hasSideEffects() || node.isNondeterministic() || !node.kind().is_aten())
        return std::nullopt;
    torch::jit::Stack stack;
    for (const auto &input : inputs)
        stack.push_back(*input);
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

#include "import/specialised_inputs.h"

#include "import/fold.h"
#include "tensor/make_input.h"

#include <cmath>
#include <fmt/format.h>
#include <optional>
#include <torch/csrc/jit/api/function_impl.h>
#include <utility>

namespace pipescope::import {

namespace {

tensor::DeclaredArguments declaredBy(const torch::jit::Function &method)
{
    tensor::DeclaredArguments declared;
    const std::vector<c10::Argument> &arguments = method.getSchema().arguments();
    for (std::size_t i = 1; i < arguments.size(); ++i) {
        graph::Argument argument;
        argument.name = arguments[i].name();
        argument.type = arguments[i].type()->annotation_str();
        declared.arguments.push_back(std::move(argument));
        declared.types.push_back(arguments[i].type());
    }
    return declared;
}

bool canBeFolded(const c10::IValue &value)
{
    return !value.isTuple() && isPlainConstant(value);
}

std::optional<plan::InputValue> writtenAs(const c10::IValue &value)
{
    if (value.isNone())
        return plan::InputValue{plan::InputValue::None{}};
    if (value.isBool())
        return plan::InputValue{value.toBool()};
    if (value.isInt())
        return plan::InputValue{value.toInt()};
    if (value.isDouble())
        return plan::InputValue{value.toDouble()};
    if (value.isString())
        return plan::InputValue{value.toStringRef()};
    if (value.isDevice())
        return plan::InputValue{value.toDevice().str()};
    return std::nullopt;
}

bool isSame(const c10::IValue &a, const c10::IValue &b)
{
    if (!a.isDouble() || !b.isDouble())
        return isSameConstant(a, b);
    const double one = a.toDouble();
    const double other = b.toDouble();
    return std::isnan(one) ? std::isnan(other) : one == other && std::signbit(one) == std::signbit(other);
}

std::string textOf(const c10::IValue &value)
{
    const std::optional<plan::InputValue> written = writtenAs(value);
    return written ? plan::toText({{}, *written}) : "a " + value.tagKind();
}

} // namespace

Result<std::map<int, c10::IValue>> constantsOf(const torch::jit::Module &module, const std::string &method,
                                               const std::vector<plan::InputSpec> &inputs)
{
    const torch::jit::Function *const function = module.type()->findMethod(method);
    if (function == nullptr || inputs.empty())
        return std::map<int, c10::IValue>();
    Result<std::map<int, c10::IValue>> values = tensor::makePlainInputs(declaredBy(*function), inputs);
    if (values)
        std::erase_if(*values, [](const auto &value) { return !canBeFolded(value.second); });
    return values;
}

std::vector<plan::InputSpec> specialisedInputs(const ImportedModel &model)
{
    std::vector<plan::InputSpec> inputs;
    for (const auto &[position, value] : model.specialised)
        if (std::optional<plan::InputValue> written = writtenAs(value))
            inputs.push_back({model.graph.arguments[static_cast<std::size_t>(position)].name, *std::move(written)});
    return inputs;
}

Status checkSpecialised(const ImportedModel &model, const std::vector<c10::IValue> &arguments)
{
    for (const auto &[position, value] : model.specialised) {
        const auto place = static_cast<std::size_t>(position);
        if (isSame(arguments.at(place), value))
            continue;
        const std::string &name = model.graph.arguments[place].name;
        return Error{ErrorCode::InvalidArgument,
                     fmt::format("'{0}' is {1}, but the graph is specialised for {2}, and other branches are left out "
                                 "of it. Specialise again for what is given now, or keep the value; give it as {0}={2}",
                                 name, textOf(arguments[place]), textOf(value)),
                     name,
                     {}};
    }
    return Success{};
}

} // namespace pipescope::import

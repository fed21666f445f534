// makeInputs of make_input.h.
#include "tensor/make_input.h"

#include "base/text.h"
#include "plan/propose_inputs.h"
#include "tensor/input/fit_type.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <optional>
#include <utility>

namespace pipescope::tensor {

namespace {

using Arguments = std::vector<graph::Argument>;

Error invalid(std::string message, std::string where)
{
    return {ErrorCode::InvalidArgument, std::move(message), std::move(where), {}};
}

std::vector<std::string> namesOf(const Arguments &arguments)
{
    std::vector<std::string> names;
    for (const graph::Argument &argument : arguments)
        names.push_back(argument.name);
    return names;
}

Error unexpected(const std::string &name, const Arguments &arguments)
{
    const std::vector<std::string> names = namesOf(arguments);
    std::string hint = didYouMean(name, names);
    if (hint.empty() && !names.empty())
        hint = fmt::format(" It takes {}.", fmt::join(names, ", "));
    return invalid(fmt::format("got an unexpected keyword argument '{}'.{}", name, hint), name);
}

/// Which spec each argument gets; by argument position.
Result<std::vector<const plan::InputSpec *>> bind(const Arguments &arguments, const std::vector<plan::InputSpec> &specs)
{
    std::vector<const plan::InputSpec *> bound(arguments.size(), nullptr);
    std::size_t next = 0;
    for (const plan::InputSpec &spec : specs) {
        std::size_t position = next;
        if (spec.name.empty()) {
            if (++next > arguments.size())
                return invalid(fmt::format("too many positional arguments: the model takes {}", arguments.size()),
                               plan::toText(spec));
        } else {
            const auto found = std::find_if(arguments.begin(), arguments.end(), [&](const graph::Argument &argument) {
                return argument.name == spec.name;
            });
            if (found == arguments.end())
                return unexpected(spec.name, arguments);
            position = static_cast<std::size_t>(found - arguments.begin());
        }
        if (bound[position] != nullptr)
            return invalid(fmt::format("multiple values for argument '{}'", arguments[position].name),
                           arguments[position].name);
        bound[position] = &spec;
    }
    return bound;
}

c10::TypePtr typeOf(const DeclaredArguments &declared, std::size_t position)
{
    if (position < declared.types.size() && declared.types[position] != nullptr)
        return declared.types[position];
    return typeFromText(declared.arguments[position].type);
}

std::string shownTypeOf(const DeclaredArguments &declared, std::size_t position)
{
    const c10::TypePtr type = typeOf(declared, position);
    return type == nullptr ? declared.arguments[position].type : shownType(*type);
}

/// The value that is known to be right, else one of the type.
std::string valueOf(const DeclaredArguments &declared, std::size_t position)
{
    const auto right = declared.right.find(static_cast<int>(position));
    return right == declared.right.end() ? exampleOf(typeOf(declared, position)) : plan::toText({{}, right->second});
}

/// What the model tells of the argument, where it does, else what its type tells; with what of it is a guess.
std::string exampleFor(const DeclaredArguments &declared, std::size_t position)
{
    if (declared.right.contains(static_cast<int>(position)))
        return valueOf(declared, position);
    if (declared.graph != nullptr)
        for (plan::InputProposal &proposal : plan::proposeInputs(*declared.graph))
            if (std::exchange(proposal.input.name, {}) == declared.arguments[position].name)
                return fmt::format("{} (guess: {})", plan::toText(proposal.input), plan::guessedSizes(proposal));
    const c10::TypePtr type = typeOf(declared, position);
    const bool isTensor = type != nullptr && type->kind() == c10::TypeKind::TensorType;
    return exampleOf(type) + (isTensor ? " (guess: all of it, the model does not tell)" : "");
}

/// Of the arguments at these positions; not empty.
Error missing(const DeclaredArguments &declared, const std::vector<std::size_t> &positions)
{
    for (const std::size_t position : positions)
        if (const std::string why = whyNotWritten(typeOf(declared, position)); !why.empty()) {
            const std::string &name = declared.arguments[position].name;
            return {
                ErrorCode::Unsupported, fmt::format("missing a required argument: '{}', but {}", name, why), name, {}};
        }
    const std::size_t first = positions.front();
    const std::string &name = declared.arguments[first].name;
    std::string text = fmt::format("missing a required argument: '{}' ({}); give it a value, such as {}", name,
                                   shownTypeOf(declared, first), exampleFor(declared, first));
    for (std::size_t i = 1; i < positions.size(); ++i)
        text += fmt::format("{} '{}' ({})", i == 1 ? "; missing too:" : ",", declared.arguments[positions[i]].name,
                            shownTypeOf(declared, positions[i]));
    return invalid(text, name);
}

/// Those that nothing stands for, neither in the plan nor in the model.
std::vector<std::size_t> unbound(const std::map<int, c10::IValue> &defaults,
                                 const std::vector<const plan::InputSpec *> &bound)
{
    std::vector<std::size_t> found;
    for (std::size_t i = 0; i < bound.size(); ++i)
        if (bound[i] == nullptr && !defaults.contains(static_cast<int>(i)))
            found.push_back(i);
    return found;
}

Error wrongType(const DeclaredArguments &declared, std::size_t position, const Error &misfit)
{
    const std::string &name = declared.arguments[position].name;
    const std::string wrong = fmt::format("argument '{}'{} {}", name, misfit.where, misfit.message);
    if (const std::string why = whyNotWritten(typeOf(declared, position)); !why.empty())
        return {ErrorCode::Unsupported, fmt::format("{}: {}", wrong, why), name, {}};
    return invalid(fmt::format("{}; write it as {}={}", wrong, name, valueOf(declared, position)), name);
}

Result<c10::IValue> valueFor(const DeclaredArguments &declared, std::size_t position, const plan::InputSpec &spec,
                             std::uint64_t seed)
{
    const graph::Argument &argument = declared.arguments[position];
    auto value = makeValue(spec.value, seed, static_cast<int>(position));
    if (!value) {
        Error error = value.error();
        error.where = error.where.empty() ? argument.name : fmt::format("{} ({})", argument.name, error.where);
        return error;
    }
    auto fitted = fitType(*value, typeOf(declared, position));
    if (!fitted)
        return wrongType(declared, position, fitted.error());
    return fitted;
}

} // namespace

Result<std::vector<c10::IValue>> makeInputs(const DeclaredArguments &declared,
                                            const std::map<int, c10::IValue> &defaults,
                                            const std::vector<plan::InputSpec> &specs, std::uint64_t seed)
{
    const auto bound = bind(declared.arguments, specs);
    if (!bound)
        return bound.error();
    std::vector<c10::IValue> values;
    for (std::size_t i = 0; i < bound->size(); ++i) {
        if ((*bound)[i] == nullptr) {
            const auto fallback = defaults.find(static_cast<int>(i));
            if (fallback == defaults.end())
                return missing(declared, unbound(defaults, *bound));
            values.push_back(fallback->second);
            continue;
        }
        auto value = valueFor(declared, i, *(*bound)[i], seed);
        if (!value)
            return value.error();
        values.push_back(*std::move(value));
    }
    return values;
}

Result<std::map<int, c10::IValue>> makePlainInputs(const DeclaredArguments &declared,
                                                   const std::vector<plan::InputSpec> &specs)
{
    const auto bound = bind(declared.arguments, specs);
    if (!bound)
        return bound.error();
    std::map<int, c10::IValue> values;
    for (std::size_t i = 0; i < bound->size(); ++i) {
        const plan::InputSpec *const spec = (*bound)[i];
        if (spec == nullptr || !plan::isPlain(spec->value))
            continue;
        auto value = valueFor(declared, i, *spec, 0);
        if (!value)
            return value.error();
        values.emplace(static_cast<int>(i), *std::move(value));
    }
    return values;
}

} // namespace pipescope::tensor

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

/// What the model tells of the argument, where `graph` does, else what its type tells.
std::string exampleFor(const graph::Argument &argument, const graph::ModelGraph *graph)
{
    if (graph != nullptr)
        for (plan::InputProposal &proposal : plan::proposeInputs(*graph))
            if (std::exchange(proposal.input.name, {}) == argument.name)
                return plan::toText(proposal.input);
    return exampleOf(argument.type);
}

/// Of the arguments in their order; not empty.
Error missing(const std::vector<const graph::Argument *> &arguments, const graph::ModelGraph *graph)
{
    const graph::Argument &first = *arguments.front();
    std::string text = fmt::format("missing a required argument: '{}' ({}); give it a value, such as {}", first.name,
                                   first.type, exampleFor(first, graph));
    for (std::size_t i = 1; i < arguments.size(); ++i)
        text += fmt::format("{} '{}' ({})", i == 1 ? "; missing too:" : ",", arguments[i]->name, arguments[i]->type);
    return invalid(text, first.name);
}

/// Those that nothing stands for, neither in the plan nor in the model.
std::vector<const graph::Argument *> unbound(const Arguments &arguments, const std::map<int, c10::IValue> &defaults,
                                             const std::vector<const plan::InputSpec *> &bound)
{
    std::vector<const graph::Argument *> found;
    for (std::size_t i = 0; i < arguments.size(); ++i)
        if (bound[i] == nullptr && !defaults.contains(static_cast<int>(i)))
            found.push_back(&arguments[i]);
    return found;
}

Result<c10::IValue> valueFor(const graph::Argument &argument, const plan::InputSpec &spec, std::uint64_t seed,
                             int place)
{
    auto value = makeValue(spec.value, seed, place);
    if (!value) {
        Error error = value.error();
        error.where = error.where.empty() ? argument.name : fmt::format("{} ({})", argument.name, error.where);
        return error;
    }
    auto fitted = fitType(*value, argument.type);
    if (!fitted)
        return invalid(fmt::format("argument '{}'{} {}; write it as {}={}", argument.name, fitted.error().where,
                                   fitted.error().message, argument.name, exampleOf(argument.type)),
                       argument.name);
    return fitted;
}

Result<std::vector<c10::IValue>> make(const Arguments &arguments, const graph::ModelGraph *graph,
                                      const std::map<int, c10::IValue> &defaults,
                                      const std::vector<plan::InputSpec> &specs, std::uint64_t seed)
{
    const auto bound = bind(arguments, specs);
    if (!bound)
        return bound.error();
    std::vector<c10::IValue> values;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        const int place = static_cast<int>(i);
        if ((*bound)[i] == nullptr) {
            const auto fallback = defaults.find(place);
            if (fallback == defaults.end())
                return missing(unbound(arguments, defaults, *bound), graph);
            values.push_back(fallback->second);
            continue;
        }
        auto value = valueFor(arguments[i], *(*bound)[i], seed, place);
        if (!value)
            return value.error();
        values.push_back(*std::move(value));
    }
    return values;
}

} // namespace

Result<std::vector<c10::IValue>> makeInputs(const Arguments &arguments, const std::map<int, c10::IValue> &defaults,
                                            const std::vector<plan::InputSpec> &specs, std::uint64_t seed)
{
    return make(arguments, nullptr, defaults, specs, seed);
}

Result<std::vector<c10::IValue>> makeInputs(const graph::ModelGraph &graph, const std::map<int, c10::IValue> &defaults,
                                            const std::vector<plan::InputSpec> &specs, std::uint64_t seed)
{
    return make(graph.arguments, &graph, defaults, specs, seed);
}

} // namespace pipescope::tensor

#include "engine/specialising.h"

#include "graph/plain_arguments.h"
#include "import/import_method.h"
#include "import/specialised_inputs.h"
#include "partition/cut.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <utility>

namespace pipescope::engine {

namespace {

/// "rate (int), mode (str)".
std::string namesOf(const std::vector<graph::Argument> &arguments)
{
    std::string names;
    for (const graph::Argument &argument : arguments)
        names += fmt::format("{}{} ({})", names.empty() ? "" : ", ", argument.name, argument.type);
    return names;
}

int legalPlaces(const graph::ModelGraph &graph)
{
    const std::vector<partition::Cut> cuts = partition::allCuts(graph);
    return static_cast<int>(
        std::count_if(cuts.begin(), cuts.end(), [](const partition::Cut &cut) { return cut.legal; }));
}

} // namespace

Error ofPlannedValue(Error error, const std::vector<plan::InputSpec> &planned)
{
    const auto named = std::find_if(planned.begin(), planned.end(),
                                    [&](const plan::InputSpec &value) { return value.name == error.where; });
    error.where = named == planned.end() ? "specialised" : fmt::format("specialised[{}]", named - planned.begin());
    error.message = fmt::format("{}: {}", error.where, error.message);
    return error;
}

Status checkSpecialising(const Specialising &wanted, const import::ImportedModel &model)
{
    if (wanted.ofInputs && model.specialised.empty()) {
        const std::string names = namesOf(graph::plainArguments(model.graph));
        return Error{ErrorCode::InvalidArgument,
                     "there is no number, bool or text among the inputs to specialise for; " +
                         (names.empty() ? "the method takes none, so leave it out"
                                        : fmt::format("give one of these a value: {}", names)),
                     "inputs",
                     {}};
    }
    if (wanted.ofInputs || model.specialised.size() == wanted.planned.size())
        return Success{};
    const std::vector<plan::InputSpec> taken = import::specialisedInputs(model);
    for (const plan::InputSpec &planned : wanted.planned) {
        const auto isThis = [&](const plan::InputSpec &input) { return input.name == planned.name; };
        if (std::none_of(taken.begin(), taken.end(), isThis))
            return ofPlannedValue(
                {ErrorCode::InvalidArgument,
                 fmt::format("{} is of a type that cannot be part of a graph; remove this item from 'specialised'",
                             plan::toText(planned)),
                 planned.name,
                 {}},
                wanted.planned);
    }
    return Success{};
}

std::optional<report::Specialisable>
specialisable(const import::ImportedModel &model, const std::vector<plan::InputSpec> &inputs, const JobContext &context)
{
    if (!graph::hasBranches(model.graph))
        return std::nullopt;
    const Result<std::map<int, c10::IValue>> constants = import::constantsOf(model.module, model.methodName, inputs);
    if (!constants || constants->empty())
        return std::nullopt;
    const Result<import::ImportedModel> specialised =
        import::importMethod(model.module, model.methodName, context.stop, *constants);
    if (!specialised)
        return std::nullopt;
    report::Specialisable found{import::specialisedInputs(*specialised), legalPlaces(specialised->graph)};
    return found.places > legalPlaces(model.graph) ? std::optional(std::move(found)) : std::nullopt;
}

} // namespace pipescope::engine

#include "session/specialising.h"

#include "partition/split_point.h"
#include "session/carry_over.h"

#include <QStringList>
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <utility>
#include <variant>

namespace pipescope::session {

namespace {

using plan::InputSpec;

auto isCalled(const std::string &name)
{
    return [&name](const InputSpec &input) { return input.name == name; };
}

std::optional<double> numberIn(const plan::InputValue &value)
{
    if (const auto *whole = std::get_if<std::int64_t>(&value.node))
        return static_cast<double>(*whole);
    const auto *real = std::get_if<double>(&value.node);
    return real != nullptr ? std::optional(*real) : std::nullopt;
}

/// The engine writes 1 as 1.0 where the argument is a float.
bool isSameValue(const InputSpec &made, const InputSpec &given)
{
    const bool areOfOneKind = made.value.node.index() == given.value.node.index();
    return plan::toText(made) == plan::toText(given) ||
           (!areOfOneKind && numberIn(made.value) && numberIn(made.value) == numberIn(given.value));
}

bool isKept(const std::string &word, const graph::ModelGraph &from, const graph::ModelGraph &to)
{
    if (!partition::resolveSplits(to, {word}))
        return false;
    const auto node = std::find_if(from.nodes.begin(), from.nodes.end(), [&](const graph::Node &each) {
        return each.name == word || partition::nameWord(each.name) == word;
    });
    return node == from.nodes.end() || sameNode(from, node->id, to).valid();
}

} // namespace

std::vector<InputSpec> namedInputs(const plan::Plan &plan, const std::vector<graph::Argument> &arguments)
{
    std::vector<InputSpec> inputs = plan.inputs;
    std::size_t position = 0;
    for (InputSpec &input : inputs)
        if (input.name.empty() && position < arguments.size())
            input.name = arguments[position++].name;
    return inputs;
}

std::vector<InputSpec> plainInputs(const plan::Plan &plan, const std::vector<graph::Argument> &arguments)
{
    std::vector<InputSpec> inputs = namedInputs(plan, arguments);
    std::erase_if(inputs, [](const InputSpec &input) { return !plan::isPlain(input.value); });
    return inputs;
}

bool isSame(const std::vector<InputSpec> &a, const std::vector<InputSpec> &b)
{
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const InputSpec &one, const InputSpec &other) {
        return plan::toText(one) == plan::toText(other);
    });
}

QString inputsText(const std::vector<InputSpec> &inputs)
{
    QStringList texts;
    for (const InputSpec &input : inputs)
        texts += QString::fromStdString(plan::toText(input));
    return texts.join(QStringLiteral(", "));
}

std::vector<InputSpec> unlikeSpecialised(const plan::Plan &plan, const std::vector<InputSpec> &given)
{
    std::vector<InputSpec> unlike;
    for (const InputSpec &input : given) {
        const auto made = std::find_if(plan.specialised.begin(), plan.specialised.end(), isCalled(input.name));
        if (made != plan.specialised.end() && !isSameValue(*made, input))
            unlike.push_back(input);
    }
    return unlike;
}

void followInputs(plan::Plan &plan)
{
    std::vector<InputSpec> followed;
    for (const InputSpec &made : plan.specialised) {
        const auto given = std::find_if(plan.inputs.begin(), plan.inputs.end(), isCalled(made.name));
        if (given != plan.inputs.end() && plan::isPlain(given->value))
            followed.push_back(*given);
    }
    if (!isSame(followed, plan.specialised))
        plan.specialised = std::move(followed);
}

QString specialisedKey(const plan::Plan &plan)
{
    return QStringLiteral("specialised ") + inputsText(plan.specialised);
}

int legalPlaces(const report::Inspection &model)
{
    return static_cast<int>(std::count_if(model.splitPoints.begin(), model.splitPoints.end(),
                                          [](const partition::SplitPoint &point) { return point.cut.legal; }));
}

std::vector<std::string> keptSplits(const std::vector<std::string> &words, const graph::ModelGraph &from,
                                    const graph::ModelGraph &to)
{
    const auto stages = partition::stagesAskedFor(from, words);
    if (stages && *stages) // which are placed anew in any graph
        return words;
    std::vector<std::string> kept;
    std::copy_if(words.begin(), words.end(), std::back_inserter(kept),
                 [&](const std::string &word) { return isKept(word, from, to); });
    return kept;
}

} // namespace pipescope::session

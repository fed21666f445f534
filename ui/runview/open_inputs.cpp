#include "runview/open_inputs.h"

#include <QRegularExpression>
#include <algorithm>
#include <cstddef>
#include <iterator>
#include <string>
#include <variant>

namespace pipescope::runview {

namespace {

bool isGiven(const plan::Plan &plan, const std::vector<graph::Argument> &arguments, const std::string &name)
{
    return givenInput(plan, arguments, name) != nullptr;
}

} // namespace

const plan::InputSpec *givenInput(const plan::Plan &plan, const std::vector<graph::Argument> &arguments,
                                  const std::string &name)
{
    std::size_t position = 0;
    for (const plan::InputSpec &input : plan.inputs) {
        if (input.name == name)
            return &input;
        if (input.name.empty() && position < arguments.size() && arguments[position++].name == name)
            return &input;
    }
    return nullptr;
}

std::vector<graph::Argument> missingInputs(const plan::Plan &plan, const std::vector<graph::Argument> &arguments)
{
    std::vector<graph::Argument> missing;
    std::copy_if(arguments.begin(), arguments.end(), std::back_inserter(missing),
                 [&](const graph::Argument &each) { return !each.hasDefault && !isGiven(plan, arguments, each.name); });
    return missing;
}

bool holdsTensors(const plan::InputValue &value)
{
    const auto oneOf = [](const auto &items) { return std::any_of(items.begin(), items.end(), holdsTensors); };
    if (const auto *list = std::get_if<plan::InputValue::List>(&value.node))
        return oneOf(list->items);
    if (const auto *tuple = std::get_if<plan::InputValue::Tuple>(&value.node))
        return oneOf(tuple->items);
    if (const auto *dict = std::get_if<plan::InputValue::Dict>(&value.node))
        return std::any_of(dict->entries.begin(), dict->entries.end(),
                           [](const plan::InputValue::Entry &entry) { return holdsTensors(entry.second); });
    return std::holds_alternative<plan::TensorSpec>(value.node) || std::holds_alternative<plan::FileSpec>(value.node);
}

bool mayHoldTensors(const std::string &type)
{
    static const QRegularExpression plain(QStringLiteral(
        "^(?:(?:int|float|bool|str|complex|number|Scalar|Device|NoneType|List|Dict|Tuple|Optional)\\b|[\\[\\], ?])+$"));
    return !plain.match(QString::fromStdString(type)).hasMatch();
}

std::vector<Proposal> openProposals(const session::Document &document)
{
    const auto model = document.model();
    if (!model)
        return {};
    std::vector<Proposal> proposals = proposeInputs(model->graph);
    std::erase_if(proposals, [&](const Proposal &proposal) {
        return isGiven(document.plan(), model->graph.arguments, proposal.input.name);
    });
    return proposals;
}

QStringList unknownInputs(const session::Document &document)
{
    QStringList names;
    const auto model = document.model();
    const std::vector<Proposal> proposals = openProposals(document);
    if (!model)
        return names;
    for (const graph::Argument &argument : missingInputs(document.plan(), model->graph.arguments)) {
        const bool isProposed = std::any_of(proposals.begin(), proposals.end(), [&](const Proposal &proposal) {
            return proposal.input.name == argument.name;
        });
        if (!isProposed)
            names += QString::fromStdString(argument.name);
    }
    return names;
}

} // namespace pipescope::runview

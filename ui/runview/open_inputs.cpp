#include "runview/open_inputs.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <string>

namespace pipescope::runview {

namespace {

bool isGiven(const plan::Plan &plan, const std::string &argument, std::size_t place)
{
    std::size_t positional = 0;
    for (const plan::InputSpec &input : plan.inputs)
        if (input.name == argument || (input.name.empty() && positional++ == place))
            return true;
    return false;
}

} // namespace

std::vector<Proposal> openProposals(const session::Document &document)
{
    const auto model = document.model();
    if (!model)
        return {};
    std::vector<Proposal> proposals = proposeInputs(model->graph);
    const auto &arguments = model->graph.arguments;
    std::erase_if(proposals, [&](const Proposal &proposal) {
        const auto found = std::find_if(arguments.begin(), arguments.end(), [&](const graph::Argument &argument) {
            return argument.name == proposal.input.name;
        });
        return isGiven(document.plan(), proposal.input.name,
                       static_cast<std::size_t>(std::distance(arguments.begin(), found)));
    });
    return proposals;
}

QStringList unknownInputs(const session::Document &document)
{
    QStringList names;
    const auto model = document.model();
    const std::vector<Proposal> proposals = openProposals(document);
    for (std::size_t place = 0; model && place < model->graph.arguments.size(); ++place) {
        const graph::Argument &argument = model->graph.arguments[place];
        const bool isProposed = std::any_of(proposals.begin(), proposals.end(), [&](const Proposal &proposal) {
            return proposal.input.name == argument.name;
        });
        if (!argument.hasDefault && !isProposed && !isGiven(document.plan(), argument.name, place))
            names += QString::fromStdString(argument.name);
    }
    return names;
}

} // namespace pipescope::runview

#include "runview/propose_inputs.h"

#include "plan/propose_inputs.h"
#include "runview/translate.h"
#include "widgets/number_text.h"

#include <variant>

namespace pipescope::runview {

namespace {

QString reasonFor(const plan::InputProposal &proposal)
{
    using Basis = plan::InputProposal::Basis;
    const auto &tensor = std::get<plan::TensorSpec>(proposal.input.value.node);
    const QString name = QString::fromStdString(proposal.input.name);
    const QString parameter = QString::fromStdString(proposal.parameter);
    switch (proposal.basis) {
    case Basis::Index:
        return tr("%1 is an index into %2, which has %3 rows; %4 x %5 is a guess")
            .arg(name, parameter, widgets::countText(tensor.high))
            .arg(tensor.sizes[0])
            .arg(tensor.sizes[1]);
    case Basis::LastDimension:
        return tr("%1 ends in %2, as %3 wants it; %4 rows are a guess")
            .arg(name)
            .arg(tensor.sizes.back())
            .arg(parameter)
            .arg(tensor.sizes[0]);
    case Basis::Channels:
        break;
    }
    return tr("%1 has %2 channels, as %3 wants it (without groups); %4 rows and sides of %5 are a guess")
        .arg(name)
        .arg(tensor.sizes[1])
        .arg(parameter)
        .arg(tensor.sizes[0])
        .arg(tensor.sizes.back());
}

} // namespace

std::vector<Proposal> proposeInputs(const graph::ModelGraph &graph)
{
    std::vector<Proposal> proposals;
    for (plan::InputProposal &proposal : plan::proposeInputs(graph)) {
        const QString reason = reasonFor(proposal);
        proposals.push_back({std::move(proposal.input), reason});
    }
    return proposals;
}

} // namespace pipescope::runview

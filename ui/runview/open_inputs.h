// What the plan leaves open of the model's inputs, and what the model itself tells of it.
#pragma once

#include "runview/propose_inputs.h"
#include "session/document.h"

#include <QStringList>
#include <string>
#include <vector>

namespace pipescope::runview {

/// What a plan gives for an argument, by its name or its place; nullptr for nothing.
[[nodiscard]] const plan::InputSpec *givenInput(const plan::Plan &plan, const std::vector<graph::Argument> &arguments,
                                                const std::string &name);
/// Arguments that need a value and have none, in their order.
[[nodiscard]] std::vector<graph::Argument> missingInputs(const plan::Plan &plan,
                                                         const std::vector<graph::Argument> &arguments);
/// Whether a value has tensors in it, or may have: a file.
[[nodiscard]] bool holdsTensors(const plan::InputValue &value);
/// Whether a value of a TorchScript type may have: not an int, nor a list of strings.
[[nodiscard]] bool mayHoldTensors(const std::string &type);

/// For arguments that nothing is given for.
[[nodiscard]] std::vector<Proposal> openProposals(const session::Document &document);
/// Names of arguments that need a value, have none, and get no proposal.
[[nodiscard]] QStringList unknownInputs(const session::Document &document);

} // namespace pipescope::runview

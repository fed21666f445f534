// What the plan leaves open of the model's inputs, and what the model itself tells of it.
#pragma once

#include "runview/propose_inputs.h"
#include "session/document.h"

#include <QStringList>
#include <vector>

namespace pipescope::runview {

/// For arguments that nothing is given for.
[[nodiscard]] std::vector<Proposal> openProposals(const session::Document &document);
/// Names of arguments that need a value, have none, and get no proposal.
[[nodiscard]] QStringList unknownInputs(const session::Document &document);

} // namespace pipescope::runview

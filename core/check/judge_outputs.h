// All leaves of the joined outputs judged over the noise of the model.
#pragma once

#include "check/judged_leaf.h"

namespace pipescope::check {

/// The worst of the leaves that can be compared; one that holds where none can. Noise is measured on the whole batch,
/// only where numbers differ at all, and once more where it decides against the model: a column of few rows may be
/// moved less than usual by chance; and once more, farther, where it is large and decides for it. Errors: Cancelled,
/// OutOfResources.
Result<JudgedLeaf> judgeOutputs(const import::ImportedModel &model, const std::vector<c10::IValue> &whole,
                                const std::vector<JoinedLeaf> &leaves, const CheckOptions &options,
                                const std::stop_token &stop = {}, const Progress &progress = {});

} // namespace pipescope::check

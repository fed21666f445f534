// Judges all leaves of the joined outputs by the noise of the model.
#pragma once

#include "check/judged_leaf.h"

namespace pipescope::check {

/// Returns the worst leaf of those that can be compared, or a leaf that holds if none can. Noise is measured on the
/// whole batch, and only where numbers differ. It is measured again where it decides against the model, because a
/// column of few rows may by chance move less than usual; and again, farther, where it is large and decides for the
/// model. Errors: Cancelled, OutOfResources.
Result<JudgedLeaf> judgeOutputs(const import::ImportedModel &model, const std::vector<c10::IValue> &whole,
                                const std::vector<JoinedLeaf> &leaves, const CheckOptions &options,
                                const std::stop_token &stop = {}, const Progress &progress = {});

} // namespace pipescope::check

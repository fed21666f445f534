// The first node at which a split model leaves the unsplit one: stages are run one after another, as the split model
// runs them, beside the unsplit graph node by node; inside the first stage that differs, ever shorter parts of it are
// run.
#pragma once

#include "check/equivalence.h"

namespace pipescope::check {

/// `reference` and `split` are the same model, imported once or twice; both are put back as they were. `arguments` are
/// those of the microbatches 0 to `microbatch`, which is the one looked into (earlier ones matter where state is
/// carried). With `among`, by position in the program order, only results of those nodes are looked at. nullopt when no
/// difference shows.
Result<std::optional<report::Divergence>> localise(const import::ImportedModel &reference,
                                                   const import::ImportedModel &split,
                                                   const partition::Partition &partition,
                                                   const std::vector<std::vector<c10::IValue>> &arguments,
                                                   MicrobatchId microbatch, const CheckOptions &options,
                                                   std::stop_token stop = {}, const std::vector<bool> &among = {});

} // namespace pipescope::check

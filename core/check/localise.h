// Finds the first node at which a split model differs from the unsplit one. Stages run one after another, as in the
// split model, and their results are compared with those of the unsplit graph. The first stage that differs is walked
// node by node beside the unsplit graph.
#pragma once

#include "check/equivalence.h"

#include <cstdint>

namespace pipescope::check {

/// `reference` and `split` are the same model, imported once or twice; both are put back as they were. `arguments` are
/// those of all microbatches; `microbatch` is the one looked into, and those before it in the options' order matter
/// where state is carried. With `among`, by position in the program order, only results of those nodes are looked at.
/// Results are copied in pieces of at most `memoryLimit` bytes (one node's even where they take more), each for another
/// run of the unsplit graph. nullopt when no difference shows.
Result<std::optional<report::Divergence>>
localise(const import::ImportedModel &reference, const import::ImportedModel &split,
         const partition::Partition &partition, const std::vector<std::vector<c10::IValue>> &arguments,
         MicrobatchId microbatch, const CheckOptions &options, const std::stop_token &stop = {},
         const std::vector<bool> &among = {}, const Progress &progress = {},
         std::int64_t memoryLimit = std::int64_t{4} << 30);

} // namespace pipescope::check

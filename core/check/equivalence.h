// Question one: does the split model compute what the unsplit one does, on the same microbatches in the same order? On
// the CPU that is a question of bits.
#pragma once

#include "base/progress.h"
#include "import/imported_model.h"
#include "partition/partition.h"
#include "report/comparison.h"
#include "tensor/compare.h"

#include <stop_token>
#include <vector>

namespace pipescope::check {

struct CheckOptions
{
    std::optional<tensor::Tolerance> tolerance; ///< the user's; absent: bit for bit
    int threads = 1;                            ///< intra-op threads: the ranks' width, so that rounding is the same
    std::uint64_t seed = 0;
    bool grad = false;
    /// The order in which the run took the microbatches, which matters where a model keeps state; empty: 0, 1, 2, ...
    std::vector<MicrobatchId> order = {};
};

/// All of `count` microbatches in the order in which they are to be run.
[[nodiscard]] std::vector<MicrobatchId> orderOf(const CheckOptions &options, std::size_t count);

/// The unsplit model on each microbatch in turn, in the options' order: the module's own method by the plain
/// interpreter with optimisation off, or, where it draws random numbers, its lowered graph (so that numbers are keyed
/// alike). Outputs are those of microbatch 0, 1, 2, ..., opened (tensor/opened_value.h). State is put back afterwards.
Result<std::vector<std::vector<c10::IValue>>> runReference(const import::ImportedModel &model,
                                                           const std::vector<std::vector<c10::IValue>> &microbatches,
                                                           const CheckOptions &options, std::stop_token stop = {},
                                                           const Progress &progress = {});

/// Whether the reference is the lowered graph and not the module's own method: where random numbers must be keyed
/// alike, or importing had to change something (baked-in devices).
[[nodiscard]] bool referenceIsLowered(const import::ImportedModel &model);

/// Compares outputs by microbatch. Where they differ, both are walked node by node to name the first node that differs.
/// Error: Unsupported naming an output that cannot be compared.
Result<report::Equivalence> checkEquivalence(const import::ImportedModel &model, const partition::Partition &partition,
                                             const std::vector<std::vector<c10::IValue>> &microbatches,
                                             const std::vector<std::vector<c10::IValue>> &reference,
                                             const std::vector<std::vector<c10::IValue>> &outputs,
                                             const CheckOptions &options, std::stop_token stop = {},
                                             const Progress &progress = {});

} // namespace pipescope::check

// Walks the whole batch and its microbatches side by side, node by node, to find the node at which rows stop being
// independent of the rest of the batch. cause.h explains why they do.
#pragma once

#include "check/equivalence.h"

namespace pipescope::check {

struct BatchDependence
{
    int position = -1;      ///< of the node in the top-level order
    bool shapeOnly = false; ///< the microbatches' results do not even have fitting shapes
    double maxAbs = 0;
};

/// The first node whose operands still were the whole batch's rows and whose result is not, of those that have a part
/// in the value `towards`; of all where it is invalid. nullopt when no single node does it: differences stay within
/// rounding everywhere. All walks start from the model's present state, which is put back; microbatches carry it on
/// from one to the next. A model without state is walked in step, and nothing is kept. Of one with state, a microbatch
/// must end before the next begins: results are copied, and walks repeated for the nodes that follow whenever copies
/// take more than `memoryLimit` bytes (one node's are made even if they do).
Result<std::optional<BatchDependence>>
firstBatchDependence(const import::ImportedModel &model, const std::vector<c10::IValue> &whole,
                     const std::vector<std::vector<c10::IValue>> &microbatches, const CheckOptions &options,
                     std::stop_token stop, ValueId towards = {}, std::int64_t memoryLimit = std::int64_t{4} << 30);

/// Whether the results of the node at this position are the whole batch's, put together from those of these
/// microbatches, and not all of them in each. False where the model fails on them. State is put back.
Result<bool> joinsAt(const import::ImportedModel &model, int position, const std::vector<c10::IValue> &whole,
                     const std::vector<std::vector<c10::IValue>> &microbatches, const CheckOptions &options,
                     std::stop_token stop, ValueId towards = {});

} // namespace pipescope::check

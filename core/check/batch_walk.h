// The whole batch and its microbatches walked node by node, side by side, to find the node at which rows stop being
// independent of the rest of the batch.
#pragma once

#include "check/equivalence.h"
#include "check/report.h"

namespace pipescope::check {

struct BatchDependence
{
    int position = -1;      ///< of the node in the top-level order
    bool shapeOnly = false; ///< the microbatches' results do not even have fitting shapes
    double maxAbs = 0;
};

/// The first node whose operands still were the whole batch's rows and whose result is not. nullopt when no single node
/// does it (differences stay within rounding everywhere), or when the values would take more than `memoryLimit` bytes
/// before one is found. Both walks start from the model's present state; microbatches carry it on from one to the next.
Result<std::optional<BatchDependence>> firstBatchDependence(const import::ImportedModel &model,
                                                            const std::vector<c10::IValue> &whole,
                                                            const std::vector<std::vector<c10::IValue>> &microbatches,
                                                            const CheckOptions &options, std::stop_token stop,
                                                            std::int64_t memoryLimit = std::int64_t{4} << 30);

/// Names the cause of a dependence from the node's operator, its state and its operands.
[[nodiscard]] Cause classify(const import::ImportedModel &model, const BatchDependence &dependence,
                             const std::vector<bool> &argumentWasCut);

} // namespace pipescope::check

// Question two: may this model's batch be cut at all? Microbatch outputs joined against the whole batch, by the size of
// their numbers over a measured noise floor; where they differ, the node at which rows stop being independent, and why.
#pragma once

#include "check/equivalence.h"
#include "microbatch/chunk_spec.h"

namespace pipescope::check {

/// `whole` holds the arguments before cutting, `microbatches` those after, `outputs` the model's outputs by microbatch.
/// Each leaf of the outputs is judged by itself (judged_leaf.h), and the worst one is reported. Noise is measured only
/// where leaves are not bitwise equal. Errors: InvalidArgument where `outputSpec` does not fit the outputs; Unsupported
/// where outputs cannot be joined or compared (nested tensors), or where they differ by random numbers that the model
/// seeds itself.
Result<report::Separability> checkSeparability(const import::ImportedModel &model,
                                               const std::vector<c10::IValue> &whole,
                                               const std::vector<std::vector<c10::IValue>> &microbatches,
                                               const std::vector<std::vector<c10::IValue>> &outputs,
                                               const std::optional<microbatch::ChunkSpec> &outputSpec,
                                               const CheckOptions &options, std::stop_token stop = {},
                                               const Progress &progress = {});

} // namespace pipescope::check

// Question two: may this model's batch be cut at all? Microbatch outputs joined against the whole batch, by the size of
// their numbers over a measured noise floor; where they differ, the node at which rows stop being independent, and why.
#pragma once

#include "check/equivalence.h"
#include "microbatch/chunk_spec.h"

namespace pipescope::check {

/// `whole` are the arguments before cutting, `microbatches` after, `outputs` the model's outputs by microbatch. Every
/// leaf of the outputs is judged by itself (judged_leaf.h), and its noise is measured where it is not bitwise equal;
/// the worst one is reported. InvalidArgument where
/// `outputSpec` does not fit the outputs; Unsupported where they cannot be joined or compared (nested tensors), or
/// where they differ by random numbers that the model seeds itself.
Result<report::Separability> checkSeparability(const import::ImportedModel &model,
                                               const std::vector<c10::IValue> &whole,
                                               const std::vector<std::vector<c10::IValue>> &microbatches,
                                               const std::vector<std::vector<c10::IValue>> &outputs,
                                               const std::optional<microbatch::ChunkSpec> &outputSpec,
                                               const CheckOptions &options, std::stop_token stop = {},
                                               const Progress &progress = {});

} // namespace pipescope::check

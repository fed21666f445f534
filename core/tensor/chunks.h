// Cutting a batch into microbatches and putting outputs together: torch.distributed.pipelining.microbatch
// (split_args_kwargs_into_chunks, merge_chunks; 2.15) on IValues, and lists cut between their items, which upstream
// does not know. No tensor is copied by splitting: chunks are views.
#pragma once

#include "base/result.h"
#include "microbatch/chunk_spec.h"

#include <ATen/core/ivalue.h>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace pipescope::tensor {

using Kwargs = std::vector<std::pair<std::string, c10::IValue>>;

struct ChunkedArguments
{
    std::vector<std::vector<c10::IValue>> args; ///< by microbatch, then position
    std::vector<Kwargs> kwargs;                 ///< by microbatch
    /// Rows of the first cut tensor, or items of the first cut list, in each microbatch; 0 where nothing is cut.
    std::vector<std::int64_t> rows;
    /// Set when fewer microbatches were made than asked for: says which input had too few rows. Upstream is silent
    /// here.
    std::string lowered;
};

/// What a microbatch holds of a cut tensor. `Masked` is upstream's _debug_mask_minibatches: every microbatch is the
/// full-size tensor, zero outside its slice.
enum class SliceMode { Views, Masked };

/// Missing specs: every tensor is cut on dim 0, everything else is replicated. Kwargs specs match by name; unknown
/// names are refused (upstream matches by position). The number made is min(chunks, size of every cut tensor along its
/// dim, items of every cut list). A ListChunkSpec is for a list, also for one inside of an argument. Rows and items per
/// chunk are torch.tensor_split's. Containers match by position, dicts by name. A leaf that requires grad keeps its
/// gradient readable on each view (retain_grad). Errors (InvalidArgument) keep upstream's words where it has any:
/// "args_dict.keys() = [0, 1] args_chunk_spec.keys() = [0]", "Expected TensorChunkSpec, got ...", "Unsupported chunk
/// spec: ... and value: ... combination.", "number of sections must be larger than 0, got 0", "Dimension specified as 0
/// but tensor has no dimensions"; of the last two it says what to do. Where a spec has more parts than the value or
/// fewer, upstream's words are in the details only.
Result<ChunkedArguments>
splitArgsKwargsIntoChunks(const std::vector<c10::IValue> &args, const Kwargs &kwargs, int chunks,
                          const std::optional<std::vector<microbatch::ChunkSpec>> &argsSpec = {},
                          const std::optional<microbatch::ChunkSpec::Entries> &kwargsSpec = {},
                          SliceMode mode = SliceMode::Views);

/// Puts microbatch outputs together; the result has the spec's structure. Without a spec every leaf is concatenated on
/// dim 0. A ListChunkSpec is for the whole output: the chunks' lists one after another. Replicate: the values must be
/// equal in all chunks ("Expected a, got b"; tensors element by element, where upstream fails). Reducers fold from the
/// first chunk; Mean weighs all chunks alike. With Masked, each chunk's slice is taken from its full-size result first;
/// shapes must agree ("Expected shape A, got B").
Result<c10::IValue> mergeChunks(const std::vector<c10::IValue> &chunks,
                                const std::optional<microbatch::ChunkSpec> &spec = {},
                                SliceMode mode = SliceMode::Views);

} // namespace pipescope::tensor

// One leaf of the microbatches' outputs put together; merge_chunks.cpp walks the tree.
#pragma once

#include "tensor/chunks.h"

namespace pipescope::tensor {

/// `values` by microbatch, at least one; `spec` is a leaf. Errors as mergeChunks.
Result<c10::IValue> mergeLeaf(const microbatch::ChunkSpec &spec, const std::vector<c10::IValue> &values,
                              SliceMode mode);

} // namespace pipescope::tensor

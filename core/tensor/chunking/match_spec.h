// Lays a tree of chunk specs beside the tree of a value: which leaf of the spec is about which leaf of the value.
#pragma once

#include "base/result.h"
#include "microbatch/chunk_spec.h"

#include <ATen/core/ivalue.h>
#include <string>
#include <vector>

namespace pipescope::tensor {

struct SpecLeaf
{
    const microbatch::ChunkSpec *spec = nullptr; ///< a leaf of the spec; not owned
    std::size_t valueLeaf = 0;                   ///< index in leaves(value)
};

/// The leaves of `spec` in its own order. Containers match by position whatever their kind, as upstream's flattening
/// does; a dict spec matches a dict by name. Errors: "zip() argument 2 is shorter than argument 1" (upstream's words
/// for a spec with too few leaves, "longer" for too many), or the name the dict does not have.
Result<std::vector<SpecLeaf>> matchSpec(const microbatch::ChunkSpec &spec, const c10::IValue &value);

/// "TensorChunkSpec(0)" as upstream prints it; the text form for everything else.
[[nodiscard]] std::string specName(const microbatch::ChunkSpec &spec);

} // namespace pipescope::tensor

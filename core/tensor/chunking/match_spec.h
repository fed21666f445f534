// Lays a tree of chunk specs beside the tree of a value: which leaf of the spec is about which leaf of the value.
#pragma once

#include "base/result.h"
#include "microbatch/chunk_spec.h"
#include "tensor/ivalue_tree.h"

#include <ATen/core/ivalue.h>
#include <string>
#include <vector>

namespace pipescope::tensor {

struct SpecLeaf
{
    const microbatch::ChunkSpec *spec = nullptr; ///< a leaf of the spec; not owned
    std::size_t valueLeaf = 0;                   ///< index in leaves(value)
};

/// A list with the spec `list`.
struct SpecList
{
    c10::IValue list;
    Places places; ///< in the value
    std::size_t firstLeaf = 0;
    std::size_t leafCount = 0; ///< of the value that are in the list
};

struct SpecMatch
{
    std::vector<SpecLeaf> leaves; ///< in the spec's order; all that is in a list with the spec `list` has that one
    std::vector<SpecList> lists;  ///< likewise
};

/// Containers match by position whatever their kind, as upstream's flattening does; a dict spec matches a dict by name.
/// Errors: how many parts the spec has and how many the value, with upstream's words in the details ("zip() argument 2
/// is shorter than argument 1" for a spec with too few leaves, "longer" for too many); the name the dict does not have;
/// what `list` stands for that is no list.
Result<SpecMatch> matchSpec(const microbatch::ChunkSpec &spec, const c10::IValue &value);

/// "TensorChunkSpec(0)" as upstream prints it; the text form for everything else.
[[nodiscard]] std::string specName(const microbatch::ChunkSpec &spec);

} // namespace pipescope::tensor

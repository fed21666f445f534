// From the chunk specs users wrote for some arguments to one for every argument. Private to engine/.
#pragma once

#include "graph/model_graph.h"
#include "microbatch/chunk_spec.h"
#include "tensor/chunks.h"

#include <ATen/core/ivalue.h>
#include <string>
#include <utility>
#include <vector>

namespace pipescope::engine {

using NamedChunkSpecs = std::vector<std::pair<std::string, microbatch::ChunkSpec>>;

/// What is given for the argument; nullptr for nothing.
[[nodiscard]] const microbatch::ChunkSpec *specFor(const graph::Argument &argument, const NamedChunkSpecs &specs);

/// Whether every tensor in it has rows along dimension 0.
[[nodiscard]] bool hasRows(const c10::IValue &value);

/// Cuts a method's arguments. Arguments without a spec are cut on dimension 0 as far as they are tensors. Errors:
/// NotFound for a spec that names no argument, with the nearest; else as tensor/chunks.h.
Result<tensor::ChunkedArguments> cutArguments(const std::vector<graph::Argument> &arguments,
                                              const std::vector<c10::IValue> &values, const NamedChunkSpecs &specs,
                                              int microbatches);

} // namespace pipescope::engine

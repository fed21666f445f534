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

/// A spec with the structure of `value`. A spec that is a single word stands for every leaf below it, numbers and the
/// like excepted, which are always replicated; `list` stands for the list itself. Error: InvalidArgument beyond 64
/// levels.
Result<microbatch::ChunkSpec> spreadSpec(const microbatch::ChunkSpec &spec, const c10::IValue &value);

/// Cuts a method's arguments. Arguments without a spec are cut on dimension 0 as far as they are tensors. Errors:
/// NotFound for a spec that names no argument, with the nearest; else as tensor/chunks.h.
Result<tensor::ChunkedArguments> cutArguments(const std::vector<graph::Argument> &arguments,
                                              const std::vector<c10::IValue> &values, const NamedChunkSpecs &specs,
                                              int microbatches);

/// A hint for tensors that were given no spec, have fewer rows than the batch, and another dimension that is as long as
/// the batch, as a hidden state of [layers, batch, width] has. "" where there are none.
[[nodiscard]] std::string otherDimensions(const std::vector<graph::Argument> &arguments,
                                          const std::vector<c10::IValue> &values, const NamedChunkSpecs &specs);

/// A hint where tensors that were given no spec, and so are cut on dimension 0, differ in rows there: one of them may
/// not be made of the batch's rows. Or where the tensors of a list differ in size: they may be samples, of which the
/// list is the batch. "" where none do, or nothing is cut.
[[nodiscard]] std::string unlikeRows(const std::vector<graph::Argument> &arguments,
                                     const std::vector<c10::IValue> &values, const NamedChunkSpecs &specs,
                                     int microbatches);

/// A list of two tensors or more, which may be the batch.
[[nodiscard]] bool isListOfTensors(const c10::IValue &value);

/// A hint where an output of the microbatches is a list as long as an input that was given no spec, so that each of its
/// tensors is cut: both may be lists of samples. "" where there is none. `outputs` are one microbatch's.
[[nodiscard]] std::string listsOfSamples(const std::vector<graph::Argument> &arguments,
                                         const std::vector<c10::IValue> &values, const NamedChunkSpecs &specs,
                                         const std::vector<c10::IValue> &outputs);

} // namespace pipescope::engine

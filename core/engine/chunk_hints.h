// What may be wrong with how inputs are cut, for warnings and errors to say. Private to engine/.
#pragma once

#include "engine/chunking.h"

namespace pipescope::engine {

/// A hint for tensors that were given no spec, have fewer rows than the batch, and another dimension that is as long as
/// the batch, as a hidden state of [layers, batch, width] has. "" where there are none.
[[nodiscard]] std::string otherDimensions(const std::vector<graph::Argument> &arguments,
                                          const std::vector<c10::IValue> &values, const NamedChunkSpecs &specs);

/// A hint where tensors that were given no spec, and so are cut on dimension 0, differ in rows there: one of them may
/// not be made of the batch's rows. Or where the items of a list differ in the sizes of their tensors: they may be
/// samples, of which the list is the batch. "" where none do, or nothing is cut.
[[nodiscard]] std::string unlikeRows(const std::vector<graph::Argument> &arguments,
                                     const std::vector<c10::IValue> &values, const NamedChunkSpecs &specs,
                                     int microbatches);

/// A list of two items or more that are tensors, or hold some: it may be the batch, and they its samples.
[[nodiscard]] bool isListOfSamples(const c10::IValue &value);

/// A hint where an output of the microbatches is a list as long as an input that was given no spec, so that each of its
/// tensors is cut: both may be lists of samples. "" where there is none. `outputs` are one microbatch's.
[[nodiscard]] std::string listsOfSamples(const std::vector<graph::Argument> &arguments,
                                         const std::vector<c10::IValue> &values, const NamedChunkSpecs &specs,
                                         const std::vector<c10::IValue> &outputs);

} // namespace pipescope::engine

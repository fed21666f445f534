// From a chunk spec as users write it, where one word stands for much, to one with the structure of the value. Private
// to engine/.
#pragma once

#include "base/result.h"
#include "microbatch/chunk_spec.h"

#include <ATen/core/ivalue.h>

namespace pipescope::engine {

/// A single word, also one inside a tree of specs, stands for every leaf below it, numbers and the like excepted, which
/// are always replicated; `list` stands for the list itself. What has another structure than the value stays as it is.
/// Error: InvalidArgument beyond 64 levels.
Result<microbatch::ChunkSpec> spreadSpec(const microbatch::ChunkSpec &spec, const c10::IValue &value);

/// The same of a word that nobody wrote: a value that is a number is replicated, too.
Result<microbatch::ChunkSpec> spreadWord(const microbatch::ChunkSpec &word, const c10::IValue &value);

} // namespace pipescope::engine

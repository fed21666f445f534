// The parts of a layout that PyTorch has no text form for, as users write them: a tensor's shape and a mesh.
#pragma once

#include "base/result.h"
#include "shard/layout.h"

#include <string_view>

namespace pipescope::shard {

/// Reads a shape: "10,8", "[10, 8]", "(10,)"; "[]" is the one of a tensor without dimensions. One comma may follow the
/// last size. Errors: InvalidArgument with the column, what was expected and what was found; a negative size; more
/// than Layout::MaxDims dimensions.
Result<Sizes> parseShape(std::string_view text);

/// Reads a mesh of the ranks from 0 on: "2,4", "[2, 4]", or with a name for each dimension "dp=2,tp=4". Errors: as
/// parseShape(); some dimensions with a name and some without; DeviceMesh::make()'s.
Result<DeviceMesh> parseMesh(std::string_view text);

} // namespace pipescope::shard

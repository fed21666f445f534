// The lines of a model's code that a node comes from.
#pragma once

#include <string>

namespace torch::jit {
struct SourceRange;
}

namespace pipescope::import {

/// From the line on which the range begins until its brackets are closed (LibTorch's ranges often end with the first
/// line of a call), without the indentation that the lines share; parted by line ends, none at the end. At most 12
/// lines, then
/// "...", of at most 200 bytes each. "" for a range of no source.
[[nodiscard]] std::string linesOf(const torch::jit::SourceRange &range);

} // namespace pipescope::import

// Where LibTorch's large CPU tensors get their memory from. glibc puts blocks of up to 32 MiB beside small ones: a
// small one that stays (a microbatch's output) takes a piece of the place that a large one had, the next large one does
// not fit there any more, and the process grows by one of them with every microbatch. A mapping of its own for each
// block costs more time than many an operator. So large blocks have mappings of their own, and a few that are free are
// kept for the next of their size.
#pragma once

#include <cstddef>

namespace pipescope::tensor {

/// From so many bytes on a block has a mapping of its own.
inline constexpr std::size_t SmallestLargeBlock = 1 << 20;
/// Longer ones are the system's again at once, as with glibc.
inline constexpr std::size_t LargestKeptBlock = 32 << 20;
/// So many bytes are kept at most; of more the longest unused go.
inline constexpr std::size_t MostKeptBytes = 128 << 20;

/// From now on, for the whole process and all threads. Allocations are reported as LibTorch's own are
/// (memory_watch.h), and out of memory is its error. May be called again.
void mapLargeBlocks();

/// Bytes that are kept for blocks to come.
[[nodiscard]] std::size_t keptBytes();
/// Back to the system: where one kind of work ends, and the next needs blocks of other sizes.
void giveBackKeptBytes();

} // namespace pipescope::tensor

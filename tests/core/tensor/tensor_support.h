// What the tests of core/tensor share.
#pragma once

#include "microbatch/chunk_spec.h"

#include <ATen/ATen.h>
#include <limits>

namespace pipescope::tests {

inline constexpr double Infinity = std::numeric_limits<double>::infinity();
inline constexpr double NaN = std::numeric_limits<double>::quiet_NaN();

inline const microbatch::ChunkSpec Rows{microbatch::TensorChunkSpec{0}};
inline const microbatch::ChunkSpec Columns{microbatch::TensorChunkSpec{1}};
inline const microbatch::ChunkSpec Same{microbatch::Replicate{}};

inline at::Tensor random(at::IntArrayRef sizes, std::uint64_t seed = 1)
{
    return at::randn(sizes, at::detail::createCPUGenerator(seed));
}

} // namespace pipescope::tests

// How far two tensors are apart by the size of their numbers: L2 norms over all of it and over each of its parts, so
// that large numbers hide nothing of small ones that stand beside them.
#pragma once

#include <ATen/core/TensorBody.h>
#include <cstdint>
#include <string>
#include <vector>

namespace pipescope::check {

/// All of a tensor, or what stands at one index of one dimension; at one of the last dimension it is a column.
struct Part
{
    int dim = -1; ///< -1: all of it
    std::int64_t index = 0;

    friend bool operator==(const Part &, const Part &) = default;
};

/// "column 4", "index 2 of dimension 1"; "" for all. `dims`: how many the tensor has.
[[nodiscard]] std::string partText(const Part &part, std::int64_t dims);

struct PartNorm
{
    Part part;
    std::int64_t count = 0; ///< of its numbers
    double size = 0;        ///< ||expected||, without what is not finite
    double difference = 0;  ///< ||actual - expected||; infinite where NaNs or infinities differ
};

/// Of two tensors of the same shape and dtype, floating point or complex, dense and on the CPU: all first, then part by
/// part. `rows` is the dimension along which microbatches were joined, which has no parts: one row says little of what
/// rounding does. -1: every dimension has. Values are read in blocks, and no whole copy is made of them.
[[nodiscard]] std::vector<PartNorm> partNorms(const at::Tensor &expected, const at::Tensor &actual, int rows);

/// What relative L2 difference another kernel for another number of rows accounts for, whatever the values:
/// torch.testing's relative tolerance for the type, and at most 16 roundings (of float64, for which torch allows far
/// more). 0 for types that do not round.
[[nodiscard]] double roundingAllowance(at::ScalarType type);

} // namespace pipescope::check

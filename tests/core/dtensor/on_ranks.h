// Programs on several ranks, with what each gave.
#pragma once

#include "dtensor/spmd.h"

#include <ATen/ATen.h>
#include <cstring>
#include <string>
#include <vector>

namespace pipescope::tests {

using TensorProgram = std::function<Result<at::Tensor>(const dtensor::RankContext &)>;

/// By rank; none where the run ended in an error, which goes to `error`.
inline std::vector<at::Tensor> onRanks(int ranks, const TensorProgram &program, Error *error = nullptr)
{
    std::vector<at::Tensor> results(static_cast<std::size_t>(ranks));
    const Status status = dtensor::runSpmd(ranks, [&](const dtensor::RankContext &self) -> Status {
        auto result = program(self);
        if (!result)
            return result.error();
        results[self.rank.index()] = *std::move(result);
        return Success{};
    });
    if (status)
        return results;
    if (error)
        *error = status.error();
    return {};
}

/// The error that a run of this program ends in; its message is "no error" where there is none.
inline Error errorOnRanks(int ranks, const TensorProgram &program)
{
    Error error{ErrorCode::Internal, "no error", {}, {}};
    onRanks(ranks, program, &error);
    return error;
}

/// Same dtype, sizes and bits.
inline bool sameBits(const at::Tensor &a, const at::Tensor &b)
{
    if (!a.defined() || !b.defined() || a.scalar_type() != b.scalar_type() || a.sizes() != b.sizes())
        return false;
    const at::Tensor left = a.contiguous();
    const at::Tensor right = b.contiguous();
    return left.nbytes() == 0 || std::memcmp(left.const_data_ptr(), right.const_data_ptr(), left.nbytes()) == 0;
}

/// These ranks in this order.
inline comm::Line lineOf(const std::vector<int> &ranks)
{
    comm::Line line;
    for (const int rank : ranks)
        line.push_back(RankId{rank});
    return line;
}

/// Whole numbers that differ from element to element and from rank to rank.
inline at::Tensor counted(int rank, at::IntArrayRef sizes, at::ScalarType dtype = at::kFloat)
{
    std::int64_t numel = 1;
    for (const std::int64_t size : sizes)
        numel *= size;
    return (at::arange(numel, at::kLong) % 7 + 10 * rank).reshape(sizes).to(dtype);
}

} // namespace pipescope::tests

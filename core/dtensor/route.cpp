#include "dtensor/route.h"

#include "shard/geometry.h"

#include <ATen/Functions.h>
#include <ATen/Parallel.h>
#include <algorithm>
#include <cstring>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <limits>

namespace pipescope::dtensor {

namespace {

// Intra-op threads copy so many bytes each, at least.
constexpr std::int64_t CopyGrain = 1 << 20;

using Ranges = std::vector<shard::IndexRange>;

Ranges rangesOf(const shard::Layout &layout, const shard::Coordinate &at, int dim)
{
    return shard::heldRanges(layout, at, dim, std::numeric_limits<std::size_t>::max()).ranges;
}

// Both ascend, and local indices ascend with global ones: so one walk over both meets all that they share.
std::vector<Run> sharedRuns(const Ranges &giver, const Ranges &taker)
{
    std::vector<Run> runs;
    std::int64_t given = 0; // elements before giver[i], and before taker[k]
    std::int64_t taken = 0;
    for (std::size_t i = 0, k = 0; i < giver.size() && k < taker.size();) {
        const std::int64_t begin = std::max(giver[i].begin, taker[k].begin);
        const std::int64_t end = std::min(giver[i].end, taker[k].end);
        if (begin < end) {
            const Run run{given + begin - giver[i].begin, taken + begin - taker[k].begin, end - begin};
            if (!runs.empty() && runs.back().from + runs.back().size == run.from &&
                runs.back().to + runs.back().size == run.to)
                runs.back().size += run.size;
            else
                runs.push_back(run);
        }
        if (giver[i].end <= taker[k].end) {
            given += giver[i].end - giver[i].begin;
            ++i;
        } else {
            taken += taker[k].end - taker[k].begin;
            ++k;
        }
    }
    return runs;
}

void copyFrom(const at::Tensor &to, const at::Tensor &from, const Block &block, std::size_t dim)
{
    if (dim == block.size())
        return copyInto(to, from);
    const auto torchDim = static_cast<std::int64_t>(dim);
    for (const Run &run : block[dim])
        copyFrom(to.narrow(torchDim, run.to, run.size), from.narrow(torchDim, run.from, run.size), block, dim + 1);
}

} // namespace

Block blockBetween(const shard::Layout &before, const shard::Coordinate &giver, const shard::Layout &after,
                   const shard::Coordinate &taker)
{
    Block block;
    for (int dim = 0; dim < before.ndim(); ++dim)
        block.push_back(sharedRuns(rangesOf(before, giver, dim), rangesOf(after, taker, dim)));
    return block;
}

Route routeOf(const shard::Layout &before, const shard::Layout &after, const comm::Line &line, RankId self)
{
    const shard::DeviceMesh &mesh = before.mesh();
    const shard::Coordinate taker = *mesh.coordinate(self);
    Route route;
    route.sizes = shard::localShard(after, taker).sizes;
    route.text = fmt::format("{} to {} of [{}]", before.text(), after.text(), fmt::join(before.shape(), ", "));
    for (const RankId giver : line)
        route.from.emplace_back(blockBetween(before, *mesh.coordinate(giver), after, taker));
    return route;
}

void copyBlock(const at::Tensor &to, const at::Tensor &from, const Block &block)
{
    copyFrom(to, from, block, 0);
}

at::Tensor takeBlock(const at::Tensor &from, const Block &block, const shard::Sizes &sizes)
{
    const bool isView =
        std::all_of(block.begin(), block.end(), [](const std::vector<Run> &runs) { return runs.size() == 1; });
    if (!isView) {
        at::Tensor copy = at::empty(sizes, from.options());
        copyBlock(copy, from, block);
        return copy;
    }
    at::Tensor view = from;
    for (std::size_t dim = 0; dim < block.size(); ++dim)
        view = view.narrow(static_cast<std::int64_t>(dim), block[dim][0].from, block[dim][0].size);
    return view;
}

void copyInto(const at::Tensor &to, const at::Tensor &from)
{
    if (to.numel() == 0 || to.is_meta())
        return;
    if (!to.is_contiguous() || !from.is_contiguous() || from.nbytes() != to.nbytes()) {
        to.copy_(from);
        return;
    }
    auto *const target = static_cast<char *>(to.mutable_data_ptr());
    const auto *const source = static_cast<const char *>(from.const_data_ptr());
    at::parallel_for(0, static_cast<std::int64_t>(to.nbytes()), CopyGrain, [&](std::int64_t begin, std::int64_t end) {
        std::memcpy(target + begin, source + begin, static_cast<std::size_t>(end - begin));
    });
}

} // namespace pipescope::dtensor

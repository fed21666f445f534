#include "shard/geometry.h"

#include "shard/remaining_cuts.h"

#include <algorithm>

namespace pipescope::shard {

namespace {

/// Local indices side by side that are side by side in the whole, too.
struct Run
{
    std::int64_t begin = 0; ///< in the whole
    std::int64_t length = 0;
};

/// As long as it can be: every cut keeps the order of indices, so what one tears apart no other joins.
Run runAt(const RemainingCuts &remaining, std::span<const int> coordinate, std::int64_t index)
{
    if (!remaining.any())
        return {index, remaining.length() - index};
    const DimCut cut = remaining.next();
    const int part = remaining.partAt(coordinate);
    const Run inner = runAt(remaining.within(cut.size(part)), coordinate, index);
    return {cut.whole(part, inner.begin), std::min(inner.length, cut.runFrom(part, inner.begin))};
}

} // namespace

LocalShard localShard(const Layout &layout, std::span<const int> coordinate)
{
    LocalShard shard;
    for (int dim = 0; dim < layout.ndim(); ++dim) {
        shard.sizes.push_back(localSize(layout, coordinate, dim));
        shard.offsets.push_back(shard.sizes.back() == 0 ? layout.shape()[static_cast<std::size_t>(dim)]
                                                        : globalIndex(layout, coordinate, dim, 0));
    }
    return shard;
}

std::int64_t localSize(const Layout &layout, std::span<const int> coordinate, int tensorDim)
{
    RemainingCuts remaining(layout, tensorDim);
    while (remaining.any())
        remaining = remaining.within(remaining.next().size(remaining.partAt(coordinate)));
    return remaining.length();
}

std::int64_t globalIndex(const Layout &layout, std::span<const int> coordinate, int tensorDim, std::int64_t index)
{
    return runAt(RemainingCuts(layout, tensorDim), coordinate, index).begin;
}

std::optional<std::int64_t> localIndex(const Layout &layout, std::span<const int> coordinate, int tensorDim,
                                       std::int64_t index)
{
    RemainingCuts remaining(layout, tensorDim);
    while (remaining.any()) {
        const DimCut cut = remaining.next();
        const PartPosition held = cut.part(index);
        if (held.part != remaining.partAt(coordinate))
            return std::nullopt;
        index = held.position;
        remaining = remaining.within(cut.size(held.part));
    }
    return index;
}

HeldRanges heldRanges(const Layout &layout, std::span<const int> coordinate, int tensorDim, std::size_t most)
{
    const RemainingCuts cuts(layout, tensorDim);
    const std::int64_t size = localSize(layout, coordinate, tensorDim);
    HeldRanges held;
    std::int64_t index = 0;
    while (index < size && held.ranges.size() < most) {
        const Run run = runAt(cuts, coordinate, index);
        held.ranges.push_back({run.begin, run.begin + run.length});
        index += run.length;
    }
    held.complete = index == size;
    return held;
}

Sizes sizesAfter(const Layout &layout, std::span<const int> coordinate, const std::vector<bool> &done)
{
    Sizes sizes = layout.shape();
    for (int dim = 0; dim < layout.ndim(); ++dim) {
        std::int64_t &size = sizes[static_cast<std::size_t>(dim)];
        for (const Cut &cut : layout.cuts(dim)) {
            const auto meshDim = static_cast<std::size_t>(cut.meshDim);
            if (done[meshDim])
                size = DimCut(size, layout.mesh().size(cut.meshDim), cut.splitFactor).size(coordinate[meshDim]);
        }
    }
    return sizes;
}

} // namespace pipescope::shard

#include "shard/cut_lengths.h"

#include "shard/dim_cut.h"

#include <algorithm>

namespace pipescope::shard {

namespace {

void sortUnique(std::vector<std::int64_t> &lengths)
{
    std::sort(lengths.begin(), lengths.end());
    lengths.erase(std::unique(lengths.begin(), lengths.end()), lengths.end());
}

DimCut cutOf(const Layout &layout, const Cut &cut, std::int64_t length)
{
    return {length, layout.mesh().size(cut.meshDim), cut.splitFactor};
}

} // namespace

std::vector<std::int64_t> lengthsAfter(const Layout &layout, int tensorDim, std::size_t cuts)
{
    std::vector<std::int64_t> lengths{layout.shape()[static_cast<std::size_t>(tensorDim)]};
    for (std::size_t i = 0; i < cuts; ++i) {
        const Cut &cut = layout.cuts(tensorDim)[i];
        std::vector<std::int64_t> next;
        for (const std::int64_t length : lengths) {
            const DimCut parts = cutOf(layout, cut, length);
            for (int part = 0; part < layout.mesh().size(cut.meshDim); ++part)
                if (const std::int64_t size = parts.size(part); next.empty() || next.back() != size)
                    next.push_back(size);
        }
        sortUnique(next);
        lengths = std::move(next);
    }
    return lengths;
}

std::int64_t longest(const Layout &layout, int tensorDim)
{
    return lengthsAfter(layout, tensorDim, layout.cuts(tensorDim).size()).back();
}

bool lastCutsAreOne(const Layout &layout, int tensorDim, std::size_t cuts)
{
    const std::vector<Cut> &all = layout.cuts(tensorDim);
    const std::size_t first = all.size() - cuts;
    for (const std::int64_t length : lengthsAfter(layout, tensorDim, first)) {
        // Row by row: each cut refines the lengths of the parts so far.
        std::vector<std::int64_t> nested{length};
        for (std::size_t i = first; i < all.size(); ++i) {
            std::vector<std::int64_t> finer;
            for (const std::int64_t part : nested)
                for (int j = 0; j < layout.mesh().size(all[i].meshDim); ++j)
                    finer.push_back(cutOf(layout, all[i], part).size(j));
            nested = std::move(finer);
        }
        const DimCut flat(length, static_cast<int>(nested.size()));
        for (std::size_t part = 0; part < nested.size(); ++part)
            if (nested[part] != flat.size(static_cast<int>(part)))
                return false;
    }
    return true;
}

} // namespace pipescope::shard

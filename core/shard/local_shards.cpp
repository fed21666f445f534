// The shards of all ranks at once: along each tensor dimension, what the coordinates that cut it make of it is worked
// out once, and looked up for each rank.
#include "shard/geometry.h"
#include "shard/remaining_cuts.h"

#include <utility>

namespace pipescope::shard {

namespace {

struct Extent
{
    std::int64_t size = 0;
    std::int64_t offset = 0;
};

/// The extents along one tensor dimension, for every combination of the coordinates that cut it.
class ExtentTable
{
public:
    ExtentTable(const Layout &layout, int tensorDim)
        : m_length(layout.shape()[static_cast<std::size_t>(tensorDim)])
        , m_steps(static_cast<std::size_t>(layout.mesh().ndim()), 0)
    {
        fill(RemainingCuts(layout, tensorDim));
        std::size_t step = 1;
        const std::vector<Cut> &cuts = layout.cuts(tensorDim);
        for (std::size_t i = cuts.size(); i > 0; --i) {
            const int meshDim = cuts[i - 1].meshDim;
            m_steps[static_cast<std::size_t>(meshDim)] = step;
            step *= static_cast<std::size_t>(layout.mesh().size(meshDim));
        }
    }

    [[nodiscard]] const Extent &here() const { return m_extents[m_place]; }
    /// Goes on along a mesh dimension, or back to its first coordinate from the last of `size`.
    void goOn(std::size_t meshDim) { m_place += m_steps[meshDim]; }
    void goBack(std::size_t meshDim, int size) { m_place -= m_steps[meshDim] * static_cast<std::size_t>(size - 1); }

private:
    struct Taken
    {
        DimCut cut;
        int part;
    };

    /// Adds all combinations of what remains, the last cut's part changing first.
    void fill(const RemainingCuts &remaining)
    {
        if (!remaining.any()) {
            m_extents.push_back({remaining.length(), remaining.length() == 0 ? m_length : firstIndex()});
            return;
        }
        const DimCut cut = remaining.next();
        for (int part = 0; part < remaining.parts(); ++part) {
            m_taken.push_back({cut, part});
            fill(remaining.within(cut.size(part)));
            m_taken.pop_back();
        }
    }

    /// Of the parts taken, which are not empty.
    [[nodiscard]] std::int64_t firstIndex() const
    {
        std::int64_t index = 0;
        for (std::size_t i = m_taken.size(); i > 0; --i)
            index = m_taken[i - 1].cut.whole(m_taken[i - 1].part, index);
        return index;
    }

    std::int64_t m_length;
    std::vector<std::size_t> m_steps; ///< in m_extents, for each mesh dimension; 0 for those that do not cut
    std::size_t m_place = 0;
    std::vector<Taken> m_taken;
    std::vector<Extent> m_extents;
};

/// Goes to the next coordinate in row-major order, in all tables.
void goOn(std::vector<ExtentTable> &tables, Coordinate &coordinate, const std::vector<int> &shape)
{
    for (std::size_t meshDim = shape.size(); meshDim-- > 0;) {
        if (++coordinate[meshDim] < shape[meshDim]) {
            for (ExtentTable &table : tables)
                table.goOn(meshDim);
            return;
        }
        coordinate[meshDim] = 0;
        for (ExtentTable &table : tables)
            table.goBack(meshDim, shape[meshDim]);
    }
}

} // namespace

std::vector<LocalShard> localShards(const Layout &layout)
{
    std::vector<ExtentTable> tables;
    tables.reserve(layout.shape().size());
    for (int dim = 0; dim < layout.ndim(); ++dim)
        tables.emplace_back(layout, dim);
    std::vector<LocalShard> shards(static_cast<std::size_t>(layout.mesh().size()));
    Coordinate coordinate(layout.placements().size(), 0);
    for (LocalShard &shard : shards) {
        shard.sizes.reserve(tables.size());
        shard.offsets.reserve(tables.size());
        for (const ExtentTable &table : tables) {
            shard.sizes.push_back(table.here().size);
            shard.offsets.push_back(table.here().offset);
        }
        goOn(tables, coordinate, layout.mesh().shape());
    }
    return shards;
}

} // namespace pipescope::shard

// A tensor over a mesh: which mesh dimension cuts which tensor dimension, in which order, and the tensor's own shape.
// Upstream's DTensorSpec (2.15), with one difference: placements mean what they say, cut by cut from the left, and an
// order of cuts that placements cannot say is kept as such (ShardOrder). Upstream guesses the order from the split
// factors, and moves wrong elements where it guesses wrong.
#pragma once

#include "base/result.h"
#include "shard/device_mesh.h"
#include "shard/placement.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace pipescope::shard {

using Sizes = std::vector<std::int64_t>;

/// One cut of a tensor dimension.
struct Cut
{
    int meshDim = 0;
    std::int64_t splitFactor = 1; ///< 1 for a plain Shard

    friend bool operator==(const Cut &, const Cut &) = default;
};

/// The mesh dimensions that cut a tensor dimension, the first cut first. Upstream's ShardOrderEntry.
struct ShardOrderEntry
{
    int tensorDim = 0;
    std::vector<int> meshDims;

    friend bool operator==(const ShardOrderEntry &, const ShardOrderEntry &) = default;
};

/// Only for tensor dimensions whose cuts do not come from the left; their placements are plain Shards.
using ShardOrder = std::vector<ShardOrderEntry>;

struct LayoutRequest
{
    DeviceMesh mesh;
    Placements placements; ///< negative dimensions count from the back
    Sizes shape;
    ShardOrder order;              ///< in any order of entries; an entry that says "from the left" is dropped
    Sizes stride;                  ///< elements; contiguous where empty
    std::string dtype = "float32"; ///< a name, alias or abbreviation of base/dtype.h
};

class Layout
{
public:
    /// The most dimensions of a tensor, as in PyTorch.
    static constexpr int MaxDims = 64;

    /// Errors, InvalidArgument in upstream's words where it has some: another number of placements than mesh
    /// dimensions; a shard dimension that the tensor does not have; a split factor below 1; Partial placements of
    /// different kinds, but for sum with avg; a negative size, or more bytes than an int64 counts (a size of 0 counts
    /// as 1 there); an order that is no order of the mesh dimensions that cut that tensor dimension, or is of one that
    /// a StridedShard cuts; an unknown dtype; a negative stride, or another number of strides than of dimensions.
    static Result<Layout> make(LayoutRequest request);

    [[nodiscard]] const DeviceMesh &mesh() const { return m_data.mesh; }
    /// One per mesh dimension; dimensions are not negative.
    [[nodiscard]] const Placements &placements() const { return m_data.placements; }
    /// Ascending by tensor dimension.
    [[nodiscard]] const ShardOrder &order() const { return m_data.order; }
    [[nodiscard]] const Sizes &shape() const { return m_data.shape; }
    [[nodiscard]] const Sizes &stride() const { return m_data.stride; }
    /// torch's name without "torch.".
    [[nodiscard]] const std::string &dtype() const { return m_data.dtype; }
    [[nodiscard]] int ndim() const { return static_cast<int>(m_data.shape.size()); }
    [[nodiscard]] std::int64_t numel() const;
    /// Bytes of one element.
    [[nodiscard]] int itemSize() const { return m_itemSize; }

    /// The cuts of a tensor dimension, the first cut first; empty where nothing cuts it.
    [[nodiscard]] const std::vector<Cut> &cuts(int tensorDim) const
    {
        return m_cuts[static_cast<std::size_t>(tensorDim)];
    }

    /// "S(0)R"; where a tensor dimension is cut more than once, with the place in the order as upstream writes it:
    /// "S(0)[1]S(0)[0]". A dimension that a StridedShard cuts has no places, since its cuts come from the left:
    /// "_S(0, 2)S(0)".
    [[nodiscard]] std::string text() const;
    /// "Spec(f32[8, 4](S(0)R))": upstream's text of a spec.
    [[nodiscard]] std::string specText() const;

    friend bool operator==(const Layout &a, const Layout &b) { return a.m_data == b.m_data; }

private:
    struct Data
    {
        DeviceMesh mesh;
        Placements placements;
        ShardOrder order;
        Sizes shape;
        Sizes stride;
        std::string dtype;

        friend bool operator==(const Data &, const Data &) = default;
    };

    explicit Layout(Data data)
        : m_data(std::move(data))
    {
    }

    void addCuts();

    Data m_data;
    std::vector<std::vector<Cut>> m_cuts;
    int m_itemSize = 1;
};

} // namespace pipescope::shard

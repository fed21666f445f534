// Who holds which element of a tensor over a mesh, both ways. What a function costs depends on the mesh and on the
// number of cuts, never on the tensor's size.
//
// Coordinates have one number per mesh dimension, tensor dimensions are 0 to ndim() - 1, and indices are within the
// shape, or within localSize() where they are local: callers see to it.
#pragma once

#include "shard/layout.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace pipescope::shard {

/// A range of global indices along one dimension.
struct IndexRange
{
    std::int64_t begin = 0;
    std::int64_t end = 0; ///< not included

    friend bool operator==(const IndexRange &, const IndexRange &) = default;
};

/// The part of the tensor at one place of the mesh.
struct LocalShard
{
    Sizes sizes;
    /// The first global index per dimension; the global size where the shard is empty along it, as upstream has it.
    Sizes offsets;

    friend bool operator==(const LocalShard &, const LocalShard &) = default;
};

/// Upstream's compute_local_shape_and_global_offset. A rank outside the mesh holds nothing: ask the mesh first.
[[nodiscard]] LocalShard localShard(const Layout &layout, std::span<const int> coordinate);
/// The same for all ranks, in the order of DeviceMesh::ranks(); works each cut out once.
[[nodiscard]] std::vector<LocalShard> localShards(const Layout &layout);

/// Elements that the shard has along a tensor dimension.
[[nodiscard]] std::int64_t localSize(const Layout &layout, std::span<const int> coordinate, int tensorDim);
/// The global index of a local one, 0 <= index < localSize(). Grows with the index.
[[nodiscard]] std::int64_t globalIndex(const Layout &layout, std::span<const int> coordinate, int tensorDim,
                                       std::int64_t index);
/// The local index of a global one at that place; nullopt where the place does not hold it.
[[nodiscard]] std::optional<std::int64_t> localIndex(const Layout &layout, std::span<const int> coordinate,
                                                     int tensorDim, std::int64_t index);

/// All ranks that hold the element, in the order of DeviceMesh::ranks(): several where a mesh dimension replicates it
/// or holds it partially. One index per tensor dimension.
[[nodiscard]] std::vector<RankId> holders(const Layout &layout, std::span<const std::int64_t> element);

/// The global indices that the place holds along a tensor dimension, ascending, neighbours joined: one range for plain
/// shards, one a piece for strided ones. At most `most` ranges; `complete` tells whether these are all.
struct HeldRanges
{
    std::vector<IndexRange> ranges;
    bool complete = true;
};
[[nodiscard]] HeldRanges heldRanges(const Layout &layout, std::span<const int> coordinate, int tensorDim,
                                    std::size_t most);

/// Neighbouring indices along a tensor dimension that the same ranks hold.
struct Band
{
    IndexRange range;
    /// Where the mesh dimension of each of cuts() is in its dimension: one coordinate for each cut.
    std::vector<int> parts;

    friend bool operator==(const Band &, const Band &) = default;
};
/// The bands of a tensor dimension from the one that holds the index `from` (that is then its first) on, ascending and
/// without gaps, each as long as it can be. At most `most`: the last tells where to go on. None from the size on.
[[nodiscard]] std::vector<Band> bands(const Layout &layout, int tensorDim, std::int64_t from, std::size_t most);

/// The sizes of the tensor with only the cuts of some mesh dimensions done: `done` says for each mesh dimension. A
/// collective over another dimension works with this.
[[nodiscard]] Sizes sizesAfter(const Layout &layout, std::span<const int> coordinate, const std::vector<bool> &done);

/// Whether every rank holds the same elements in the same places under both, and the same share of their values, which
/// may be written differently: [SS(0,2), S(0)] and S(0) twice with the right mesh dimension first, where the sizes
/// divide. A mesh dimension with one rank may be anything.
[[nodiscard]] bool holdTheSame(const Layout &a, const Layout &b);

} // namespace pipescope::shard

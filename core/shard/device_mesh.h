// Ranks in an n-dimensional grid, as torch.distributed.device_mesh.DeviceMesh (2.15) has them: dimension names, slices,
// flattened dimensions, and the lines of ranks that one collective runs on. Errors use upstream's words; each says so
// where PyTorch accepts what is refused here.
#pragma once

#include "base/ids.h"
#include "base/result.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace pipescope::shard {

/// The ranks that share all coordinates but those of the dimensions that a collective runs over, in row-major order.
using Line = std::vector<RankId>;

/// A place in the mesh: one coordinate per mesh dimension.
using Coordinate = std::vector<int>;

/// A 1-D mesh made of several dimensions of another, under a name of its own. Upstream's `_flatten`.
struct Flattening
{
    std::vector<int> dims; ///< of the mesh that it was made of, ascending
    std::string name;

    friend bool operator==(const Flattening &, const Flattening &) = default;
};

class DeviceMesh
{
public:
    /// The most ranks and dimensions that a mesh may have.
    static constexpr std::int64_t MaxRanks = std::int64_t{1} << 20;
    static constexpr int MaxDims = 16;

    /// Ranks 0 to product of `shape` - 1 in row-major order; upstream's init_device_mesh. `names` has none, or one per
    /// dimension. Errors: InvalidArgument for a shape without dimensions, a size below 1, more than MaxRanks or
    /// MaxDims, a repeated or empty name, another number of names than of dimensions, a device type with an
    /// index ("cuda:0") or one that PyTorch does not have (upstream accepts any).
    static Result<DeviceMesh> make(std::vector<int> shape, std::vector<std::string> names = {},
                                   std::string deviceType = "cpu");
    /// The given ranks in row-major order. Errors: as make(); also another number of ranks than `shape` has places, a
    /// negative rank, a rank that stands twice (upstream accepts that).
    static Result<DeviceMesh> fromRanks(std::vector<RankId> ranks, std::vector<int> shape,
                                        std::vector<std::string> names = {}, std::string deviceType = "cpu");

    [[nodiscard]] int ndim() const { return static_cast<int>(m_shape.size()); }
    /// Ranks in all.
    [[nodiscard]] int size() const { return static_cast<int>(m_ranks->size()); }
    /// Ranks along one dimension, 0 <= dim < ndim().
    [[nodiscard]] int size(int dim) const { return m_shape[static_cast<std::size_t>(dim)]; }
    [[nodiscard]] const std::vector<int> &shape() const { return m_shape; }
    /// Empty where the dimensions have no names.
    [[nodiscard]] const std::vector<std::string> &names() const { return m_names; }
    [[nodiscard]] const std::string &deviceType() const { return m_deviceType; }
    /// In row-major order.
    [[nodiscard]] const std::vector<RankId> &ranks() const { return *m_ranks; }

    /// The dimension of that name. Errors: NotFound, "Mesh dimension 'x' does not exist." with the names there are, or
    /// "No `mesh_dim_names` found."
    Result<int> dim(std::string_view name) const;

    /// Where the rank is; nullopt for a rank that is not in the mesh.
    [[nodiscard]] std::optional<Coordinate> coordinate(RankId rank) const;
    /// The rank at a place. Every coordinate is within its dimension.
    [[nodiscard]] RankId rankAt(std::span<const int> coordinate) const;
    /// The coordinate of the i-th rank of ranks().
    [[nodiscard]] Coordinate coordinateAt(int i) const;

    /// The ranks that differ from the one at `coordinate` in `dims` only, row-major in `dims` as they are given. The
    /// dimensions are different ones of the mesh.
    [[nodiscard]] Line line(std::span<const int> coordinate, std::span<const int> dims) const;
    /// All lines along `dims`: every rank is in exactly one.
    [[nodiscard]] std::vector<Line> lines(std::span<const int> dims) const;

    /// Upstream's mesh["tp"], mesh["dp", "cp"]: the part of the mesh that contains `rank` and runs along these
    /// dimensions; a name may be one of a flattening. Errors: as upstream's for a mesh without names, an unknown name,
    /// names in another order than the mesh has, overlapping names; NotFound for a rank outside the mesh.
    Result<DeviceMesh> slice(std::span<const std::string> names, RankId rank) const;

    /// Adds a flattening of the named dimensions ("dp_cp" where `name` is empty), which slice() and redistributions
    /// then know. The same name and dimensions again change nothing. Errors: as upstream's `_flatten`.
    Status flatten(std::span<const std::string> names, std::string name = {});
    [[nodiscard]] const std::vector<Flattening> &flattenings() const { return m_flattenings; }

    /// "DeviceMesh((dp=2, tp=4), 'cpu', stride=(4, 1))", "DeviceMesh((4,), 'cpu', stride=(1,))": upstream's repr.
    [[nodiscard]] std::string text() const;

    /// The same ranks in the same shape with the same names on the same type of device. Flattenings do not count.
    friend bool operator==(const DeviceMesh &a, const DeviceMesh &b)
    {
        return a.m_shape == b.m_shape && (a.m_ranks == b.m_ranks || *a.m_ranks == *b.m_ranks) &&
               a.m_names == b.m_names && a.m_deviceType == b.m_deviceType;
    }

private:
    /// How far apart the ranks along a dimension are, in the mesh that slice() was first asked of: one part, or several
    /// where dimensions were flattened, or none for a single rank.
    struct AxisPart
    {
        int size = 1;
        int stride = 1;
    };
    using Axis = std::vector<AxisPart>;

    DeviceMesh() = default;
    static Axis coalesced(const Axis &parts);
    /// The dimensions that each name stands for.
    Result<std::vector<std::vector<int>>> dimsOf(std::span<const std::string> names) const;
    /// Row-major strides in ranks().
    [[nodiscard]] std::vector<int> strides() const;
    /// Places in ranks(), from that of an all-zero coordinate on.
    [[nodiscard]] std::vector<int> placesAlong(std::span<const int> dims) const;

    std::vector<int> m_shape;
    std::shared_ptr<const std::vector<RankId>> m_ranks; ///< shared, since every layout has a copy of its mesh
    std::vector<std::string> m_names;
    std::string m_deviceType;
    std::vector<Axis> m_axes; ///< for text() and the checks of slice()
    std::vector<Flattening> m_flattenings;
};

} // namespace pipescope::shard

// One dimension of a tensor as a side of the picture: which part of it stands where, and where padding is drawn. Where
// a part that is smaller than the largest ends, the picture leaves as much room as the part is smaller, so that a place
// on the side (a position) is an index plus the padding before it. Numbers only: nothing is painted here, and what a
// question costs depends on what is asked for and on the mesh, never on the tensor.
#pragma once

#include "shard/geometry.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace pipescope::shardview {

/// A stretch of a side.
struct AxisBand
{
    enum class Kind {
        Held,    ///< one part holds all of it
        Mixed,   ///< several parts, each with less than a pixel
        Padding, ///< after the end of a part
    };

    Kind kind = Kind::Held;
    shard::IndexRange positions;
    shard::IndexRange indices; ///< empty, where the part ends, for padding
    int part = -1;             ///< of held ones and padding

    friend bool operator==(const AxisBand &, const AxisBand &) = default;
};

/// What is at a position.
struct AxisSpot
{
    int part = 0;
    std::optional<std::int64_t> index; ///< none: padding of the part

    friend bool operator==(const AxisSpot &, const AxisSpot &) = default;
};

class ShardAxis
{
public:
    /// Of a tensor without the dimension: one index that every rank holds.
    ShardAxis();
    /// 0 <= tensorDim < layout.ndim().
    ShardAxis(const shard::Layout &layout, int tensorDim);

    /// Indices.
    [[nodiscard]] std::int64_t length() const { return m_length; }
    /// Positions: indices and padding.
    [[nodiscard]] std::int64_t extent() const;
    [[nodiscard]] bool hasPadding() const { return !m_gaps.empty(); }

    /// The parts that the cuts of the dimension make, one for each place along the mesh dimensions that cut it.
    [[nodiscard]] int parts() const { return static_cast<int>(m_shards.size()); }
    [[nodiscard]] std::int64_t size(int part) const { return m_shards[static_cast<std::size_t>(part)].sizes.front(); }
    /// The most that a part has.
    [[nodiscard]] std::int64_t largest() const { return m_largest; }
    /// The part that holds an index of the dimension.
    [[nodiscard]] int partAt(std::int64_t index) const;
    /// The part of a rank at this place of the whole mesh.
    [[nodiscard]] int partOf(const shard::Coordinate &place) const;
    /// Sets the coordinates of the mesh dimensions that cut the dimension to those of the part.
    void setPlace(int part, shard::Coordinate &place) const;

    [[nodiscard]] AxisSpot spotAt(std::int64_t position) const;
    [[nodiscard]] std::int64_t positionOf(std::int64_t index) const;
    /// All indices around this one, side by side, that the same part holds.
    [[nodiscard]] shard::IndexRange runAt(std::int64_t index) const;
    /// What is seen of [begin, end), in positions, on so many pixels, in order: at most a band a pixel, and as many
    /// more as there are gaps for padding. Bands may reach over both ends.
    [[nodiscard]] std::vector<AxisBand> bands(double begin, double end, int pixels) const;

private:
    /// Room for padding.
    struct Gap
    {
        std::int64_t index = 0; ///< that stands after it
        std::int64_t position = 0;
        std::int64_t size = 0;
        int part = 0;
    };

    /// What part holds an index and how many after it, up to `end`.
    struct Run
    {
        int part = 0;
        std::int64_t end = 0;
    };

    void layGaps();
    [[nodiscard]] Run runFrom(std::int64_t index) const;
    [[nodiscard]] const Gap *gapAt(std::int64_t position) const;
    /// The index there, or after the gap that is there.
    [[nodiscard]] std::int64_t indexAt(std::int64_t position) const;
    [[nodiscard]] AxisBand heldOrMixed(std::int64_t position, std::int64_t perPixel) const;

    std::int64_t m_length = 1;
    std::int64_t m_largest = 1;
    std::vector<int> m_meshDims;             ///< that cut the dimension, the first cut first
    shard::Layout m_alone;                   ///< the dimension by itself, over these
    std::vector<shard::LocalShard> m_shards; ///< of m_alone, by part
    std::vector<Gap> m_gaps;                 ///< ascending
};

} // namespace pipescope::shardview

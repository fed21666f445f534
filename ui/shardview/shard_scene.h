// The picture of a layout as numbers: two dimensions of the tensor as sides, the others at an index each, and the ranks
// that hold what is seen. Ranks that differ only along mesh dimensions that cut nothing (Replicate, Partial) hold the
// same elements: they are sheets, one behind another, and each sheet is the whole picture in ranks of its own.
#pragma once

#include "base/ids.h"
#include "shardview/shard_axis.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace pipescope::shardview {

/// What of a tensor is seen. A side without a dimension is -1, as both of a tensor without dimensions are.
struct ShardView
{
    int rowDim = -1;
    int columnDim = -1;
    std::vector<std::int64_t> at; ///< an index for each dimension; those of the sides are not read

    friend bool operator==(const ShardView &, const ShardView &) = default;
};

/// The last two dimensions, or the only one as columns, the others at 0.
[[nodiscard]] ShardView usualView(const shard::Sizes &shape);
/// `wanted` with its indices within this shape; the usual view where it is one of another number of dimensions.
[[nodiscard]] ShardView fittedView(ShardView wanted, const shard::Sizes &shape);

/// Where a rank is seen.
struct RankPlace
{
    int sheet = 0;
    int row = 0;    ///< part of the side
    int column = 0; ///< likewise

    friend bool operator==(const RankPlace &, const RankPlace &) = default;
};

/// What is under a point of the picture.
struct ShardSpot
{
    AxisSpot row;
    AxisSpot column;

    [[nodiscard]] bool isPadding() const { return !row.index || !column.index; }
    friend bool operator==(const ShardSpot &, const ShardSpot &) = default;
};

class ShardScene
{
public:
    /// The view fits the layout's shape.
    ShardScene(shard::Layout layout, ShardView view);

    [[nodiscard]] const shard::Layout &layout() const { return m_layout; }
    [[nodiscard]] const ShardView &view() const { return m_view; }
    [[nodiscard]] const ShardAxis &rows() const { return m_rows; }
    [[nodiscard]] const ShardAxis &columns() const { return m_columns; }
    /// Whether there is an element to see.
    [[nodiscard]] bool isEmpty() const { return m_layout.numel() == 0; }

    /// Ranks that hold each element.
    [[nodiscard]] int sheets() const { return m_sheets; }
    /// How many of them hold one value together, as Partial placements have it; 1 without such.
    [[nodiscard]] int terms() const { return m_terms; }
    /// How many times the same is held.
    [[nodiscard]] int copies() const { return m_sheets / m_terms; }

    [[nodiscard]] RankId rankAt(const RankPlace &place) const;
    /// nullopt for one that holds nothing of what is seen.
    [[nodiscard]] std::optional<RankPlace> placeOf(RankId rank) const;
    /// The ranks of all sheets there, in the order of sheets.
    [[nodiscard]] std::vector<RankId> ranksAt(int row, int column) const;

    /// The most that a rank has along each dimension.
    [[nodiscard]] const shard::Sizes &largest() const { return m_largest; }
    /// Ranks without an element, in the mesh's order.
    [[nodiscard]] const std::vector<RankId> &emptyRanks() const { return m_empty; }
    /// Ranks that hold elements, but none at the indices that the dimensions that are not seen are at.
    [[nodiscard]] const std::vector<RankId> &ranksElsewhere() const { return m_elsewhere; }

private:
    void sortRanks();

    shard::Layout m_layout;
    ShardView m_view;
    ShardAxis m_rows;
    ShardAxis m_columns;
    std::vector<int> m_freeDims; ///< mesh dimensions that cut nothing
    std::vector<bool> m_isFixed; ///< by mesh dimension: cuts a dimension that is not seen
    shard::Coordinate m_base;    ///< with the coordinates of those
    int m_sheets = 1;
    int m_terms = 1;
    shard::Sizes m_largest;
    std::vector<RankId> m_empty;
    std::vector<RankId> m_elsewhere;
};

} // namespace pipescope::shardview

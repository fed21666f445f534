#include "shardview/shard_scene.h"

#include <algorithm>
#include <utility>

namespace pipescope::shardview {

namespace {

using shard::Layout;

ShardAxis axisOf(const Layout &layout, int tensorDim)
{
    return tensorDim < 0 ? ShardAxis() : ShardAxis(layout, tensorDim);
}

bool isSide(const ShardView &view, int tensorDim)
{
    return tensorDim == view.rowDim || tensorDim == view.columnDim;
}

} // namespace

ShardView usualView(const shard::Sizes &shape)
{
    const int dims = static_cast<int>(shape.size());
    return {dims - 2 >= 0 ? dims - 2 : -1, dims - 1, std::vector<std::int64_t>(shape.size(), 0)};
}

ShardView fittedView(ShardView wanted, const shard::Sizes &shape)
{
    if (wanted.at.size() != shape.size())
        return usualView(shape);
    for (std::size_t i = 0; i < shape.size(); ++i)
        wanted.at[i] = std::clamp<std::int64_t>(wanted.at[i], 0, std::max<std::int64_t>(0, shape[i] - 1));
    return wanted;
}

ShardScene::ShardScene(Layout layout, ShardView view)
    : m_layout(std::move(layout))
    , m_view(std::move(view))
    , m_rows(axisOf(m_layout, m_view.rowDim))
    , m_columns(axisOf(m_layout, m_view.columnDim))
    , m_isFixed(static_cast<std::size_t>(m_layout.mesh().ndim()), false)
    , m_base(static_cast<std::size_t>(m_layout.mesh().ndim()), 0)
{
    for (int meshDim = 0; meshDim < m_layout.mesh().ndim(); ++meshDim) {
        const shard::Placement &placement = m_layout.placements()[static_cast<std::size_t>(meshDim)];
        if (isSharded(placement))
            continue;
        m_freeDims.push_back(meshDim);
        m_sheets *= m_layout.mesh().size(meshDim);
        m_terms *= isPartial(placement) ? m_layout.mesh().size(meshDim) : 1;
    }
    for (int dim = 0; dim < m_layout.ndim() && !isEmpty(); ++dim) {
        if (isSide(m_view, dim))
            continue;
        const ShardAxis axis(m_layout, dim);
        axis.setPlace(axis.partAt(m_view.at[static_cast<std::size_t>(dim)]), m_base);
        for (const shard::Cut &cut : m_layout.cuts(dim))
            m_isFixed[static_cast<std::size_t>(cut.meshDim)] = true;
    }
    sortRanks();
}

void ShardScene::sortRanks()
{
    const std::vector<shard::LocalShard> shards = localShards(m_layout);
    m_largest.resize(m_layout.shape().size(), 0);
    for (std::size_t i = 0; i < shards.size(); ++i) {
        const RankId rank = m_layout.mesh().ranks()[i];
        const shard::Sizes &sizes = shards[i].sizes;
        std::transform(sizes.begin(), sizes.end(), m_largest.begin(), m_largest.begin(),
                       [](std::int64_t size, std::int64_t most) { return std::max(size, most); });
        if (std::find(sizes.begin(), sizes.end(), 0) != sizes.end()) {
            m_empty.push_back(rank);
            continue;
        }
        const shard::Coordinate place = m_layout.mesh().coordinateAt(static_cast<int>(i));
        bool isSeen = true;
        for (std::size_t meshDim = 0; meshDim < place.size(); ++meshDim)
            isSeen = isSeen && (!m_isFixed[meshDim] || place[meshDim] == m_base[meshDim]);
        if (!isSeen)
            m_elsewhere.push_back(rank);
    }
}

RankId ShardScene::rankAt(const RankPlace &place) const
{
    shard::Coordinate coordinate = m_base;
    m_rows.setPlace(place.row, coordinate);
    m_columns.setPlace(place.column, coordinate);
    int sheet = place.sheet;
    for (auto meshDim = m_freeDims.rbegin(); meshDim != m_freeDims.rend(); ++meshDim) {
        coordinate[static_cast<std::size_t>(*meshDim)] = sheet % m_layout.mesh().size(*meshDim);
        sheet /= m_layout.mesh().size(*meshDim);
    }
    return m_layout.mesh().rankAt(coordinate);
}

std::optional<RankPlace> ShardScene::placeOf(RankId rank) const
{
    const std::optional<shard::Coordinate> coordinate = m_layout.mesh().coordinate(rank);
    if (!coordinate || isEmpty())
        return std::nullopt;
    for (std::size_t meshDim = 0; meshDim < coordinate->size(); ++meshDim)
        if (m_isFixed[meshDim] && (*coordinate)[meshDim] != m_base[meshDim])
            return std::nullopt;
    RankPlace place{0, m_rows.partOf(*coordinate), m_columns.partOf(*coordinate)};
    if (m_rows.size(place.row) == 0 || m_columns.size(place.column) == 0)
        return std::nullopt;
    for (const int meshDim : m_freeDims)
        place.sheet = place.sheet * m_layout.mesh().size(meshDim) + (*coordinate)[static_cast<std::size_t>(meshDim)];
    return place;
}

std::vector<RankId> ShardScene::ranksAt(int row, int column) const
{
    std::vector<RankId> ranks;
    for (int sheet = 0; sheet < m_sheets; ++sheet)
        ranks.push_back(rankAt({sheet, row, column}));
    return ranks;
}

} // namespace pipescope::shardview

#include "shardview/holder_table_model.h"

#include "shardview/shard_words.h"
#include "widgets/cell_delegate.h"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace pipescope::shardview {

void HolderTableModel::setLayout(std::optional<shard::Layout> layout)
{
    if (layout == m_layout)
        return;
    beginResetModel();
    m_layout = std::move(layout);
    m_shards = m_layout ? localShards(*m_layout) : std::vector<shard::LocalShard>();
    endResetModel();
}

int HolderTableModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_shards.size());
}

int HolderTableModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant HolderTableModel::data(const QModelIndex &index, int role) const
{
    if (!index.isValid())
        return {};
    if (role == Qt::DisplayRole)
        return text(index.row(), index.column());
    return role == Qt::TextAlignmentRole && index.column() == Bytes ? QVariant(widgets::CellDelegate::NumberAlignment)
                                                                    : QVariant();
}

QVariant HolderTableModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation == Qt::Horizontal && role == Qt::TextAlignmentRole && section == Bytes)
        return widgets::CellDelegate::NumberAlignment;
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    switch (section) {
    case Rank:
        return tr("rank");
    case Place:
        return tr("in the mesh");
    case LocalShape:
        return tr("local shape");
    case Holds:
        return tr("holds");
    case Offset:
        return tr("offset");
    case Bytes:
        return tr("bytes");
    default:
        return {};
    }
}

int HolderTableModel::rowOf(RankId rank) const
{
    if (!m_layout)
        return -1;
    const std::vector<RankId> &ranks = m_layout->mesh().ranks();
    const auto found = std::find(ranks.begin(), ranks.end(), rank);
    return found == ranks.end() ? -1 : static_cast<int>(found - ranks.begin());
}

RankId HolderTableModel::rankAt(int row) const
{
    return m_layout && row >= 0 && row < rowCount() ? m_layout->mesh().ranks()[static_cast<std::size_t>(row)]
                                                    : RankId();
}

QString HolderTableModel::text(int row, int column) const
{
    const shard::LocalShard &held = m_shards[static_cast<std::size_t>(row)];
    switch (column) {
    case Rank:
        return QString::number(rankAt(row).value);
    case Place:
        return coordinateText(m_layout->mesh(), m_layout->mesh().coordinateAt(row));
    case LocalShape:
        return sizesText(held.sizes);
    case Holds:
        return heldText(*m_layout, m_layout->mesh().coordinateAt(row));
    case Offset:
        return sizesText(held.offsets);
    case Bytes:
        return sizeText(bytesOf(held.sizes, m_layout->itemSize()));
    default:
        return {};
    }
}

} // namespace pipescope::shardview

// Who holds what of a tensor: a row for each rank of the mesh.
#pragma once

#include "shard/geometry.h"

#include <QAbstractTableModel>
#include <optional>
#include <vector>

namespace pipescope::shardview {

class HolderTableModel : public QAbstractTableModel
{
    Q_OBJECT

public:
    enum Column { Rank, Place, LocalShape, Holds, Offset, Bytes, ColumnCount };

    using QAbstractTableModel::QAbstractTableModel;

    /// nullopt clears.
    void setLayout(std::optional<shard::Layout> layout);

    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex &index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

    /// -1 for a rank that the mesh does not have, and back.
    [[nodiscard]] int rowOf(RankId rank) const;
    [[nodiscard]] RankId rankAt(int row) const;

private:
    [[nodiscard]] QString text(int row, int column) const;

    std::optional<shard::Layout> m_layout;
    std::vector<shard::LocalShard> m_shards; ///< by row
};

} // namespace pipescope::shardview

// The steps of a redistribution, a row each.
#pragma once

#include "shard/redistribution.h"

#include <QAbstractTableModel>
#include <vector>

namespace pipescope::shardview {

class StepTableModel : public QAbstractTableModel
{
    Q_OBJECT

public:
    enum Column { Number, Collective, Over, From, To, Gives, Has, PaddedGives, PaddedHas, Time, ColumnCount };

    using QAbstractTableModel::QAbstractTableModel;

    /// nullptr clears.
    void setPlan(const shard::Redistribution *plan);

    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex &index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    [[nodiscard]] QString text(int row, int column) const;

    std::vector<shard::Step> m_steps;
};

} // namespace pipescope::shardview

// How each microbatch's outputs compare, as a table.
#pragma once

#include "report/comparison.h"

#include <QAbstractTableModel>
#include <vector>

namespace pipescope::checkview {

class DifferenceTableModel : public QAbstractTableModel
{
    Q_OBJECT

public:
    enum Column { Microbatch, Equal, MaxAbsError, MaxRelError, Kind, Worst, ColumnCount };

    using QAbstractTableModel::QAbstractTableModel;

    void show(std::vector<report::Difference> byMicrobatch);

    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex &index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    std::vector<report::Difference> m_rows;
};

} // namespace pipescope::checkview

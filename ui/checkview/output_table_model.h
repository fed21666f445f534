// How each output compares, over all microbatches, as a table.
#pragma once

#include "report/comparison.h"

#include <QAbstractTableModel>
#include <vector>

namespace pipescope::checkview {

class OutputTableModel : public QAbstractTableModel
{
    Q_OBJECT

public:
    enum Column { Output, Equal, MaxAbsError, MaxRelError, Tolerance, Microbatch, First, Kind, Worst, ColumnCount };

    using QAbstractTableModel::QAbstractTableModel;

    void show(std::vector<report::OutputEquivalence> outputs);
    [[nodiscard]] const report::OutputEquivalence &at(int row) const { return m_rows[static_cast<std::size_t>(row)]; }

    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex &index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    std::vector<report::OutputEquivalence> m_rows;
};

} // namespace pipescope::checkview

// The bars of a histogram as a table: from where to where, and how many elements.
#pragma once

#include "inspector/histogram.h"

#include <QAbstractTableModel>

namespace pipescope::inspector {

class BinTableModel : public QAbstractTableModel
{
    Q_OBJECT

public:
    enum Column { From, To, Count, ColumnCount };

    using QAbstractTableModel::QAbstractTableModel;

    void show(const Bins &bins);

    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex &index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    Bins m_bins;
};

} // namespace pipescope::inspector

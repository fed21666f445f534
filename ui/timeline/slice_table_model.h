// All slices and bubbles of a run as rows: for those who read rather than look, for sorting, and to be taken elsewhere.
#pragma once

#include "timeline/lane_model.h"

#include <QAbstractTableModel>
#include <memory>
#include <vector>

namespace pipescope::timeline {

class SliceTableModel : public QAbstractTableModel
{
    Q_OBJECT

public:
    enum Column { Rank, Kind, Action, Stage, Microbatch, Begin, Length, Cause, ColumnCount };
    /// Times in whole nanoseconds and ids as numbers, where DisplayRole has text.
    static constexpr int NumberRole = Qt::UserRole;

    using QAbstractTableModel::QAbstractTableModel;

    /// Rows by rank, then by begin. Null is no row.
    void setModel(std::shared_ptr<const LaneModel> model);

    [[nodiscard]] Spot spotOf(const QModelIndex &index) const;
    /// -1 where there is none.
    [[nodiscard]] int rowOf(Spot spot) const;

    /// In the rows' order, times in nanoseconds, with a line of names; RFC 4180 but for its line ends.
    [[nodiscard]] QString toCsv() const;

    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    /// Rows that are alike keep their order.
    void sort(int column, Qt::SortOrder order = Qt::AscendingOrder) override;

private:
    [[nodiscard]] QString text(Spot spot, int column) const;
    /// Of Rank, Stage, Microbatch, Begin and Length; -1 for an id there is none of.
    [[nodiscard]] qint64 number(Spot spot, int column) const;
    [[nodiscard]] QString csvField(Spot spot, int column) const;

    std::shared_ptr<const LaneModel> m_model;
    std::vector<Spot> m_rows;
    double m_unitNs = 1; // of both columns of times
    QString m_unit;
};

} // namespace pipescope::timeline

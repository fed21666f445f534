// Slices or bubbles of a run as rows: for those who read rather than look, for sorting, and to be taken elsewhere.
// Which ones, and in which columns, is up to the derived models. Made for a million rows: nothing is kept per cell, and
// sorting compares numbers only.
#pragma once

#include "timeline/lane_model.h"

#include <QAbstractTableModel>
#include <cstdint>
#include <memory>
#include <vector>

namespace pipescope::timeline {

class SpotTableModel : public QAbstractTableModel
{
    Q_OBJECT

public:
    /// What a column is sorted by: a number, times in nanoseconds; none where DisplayRole's text is all there is.
    static constexpr int NumberRole = Qt::UserRole;

    /// Rows by rank, then by begin, unless sorted otherwise before. Null is no row.
    void setModel(std::shared_ptr<const LaneModel> model);
    [[nodiscard]] const std::shared_ptr<const LaneModel> &model() const { return m_model; }

    [[nodiscard]] Spot spotOf(const QModelIndex &index) const;
    /// -1 where there is none. Time log n.
    [[nodiscard]] int rowOf(Spot spot) const;

    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    /// Rows that are alike keep their order by rank and begin.
    void sort(int column, Qt::SortOrder order = Qt::AscendingOrder) override;

protected:
    enum class Sort { Id, Number, Time, Text };
    struct Column
    {
        int place;    ///< the value of the model's enumeration
        QString name; ///< a time's unit is added
        Sort sort;
    };

    /// In the order of their places, all of them.
    SpotTableModel(std::vector<Column> columns, QObject *parent);

    /// Ascending by lane, then slice, then bubble.
    [[nodiscard]] virtual std::vector<Spot> spotsOf(const LaneModel &model) const = 0;
    /// What a column is sorted by; nanoseconds where it is a time. Of all others -1 for "none".
    [[nodiscard]] virtual double keyOf(Spot spot, int column) const = 0;
    /// Of what is no time; only for spots that are there.
    [[nodiscard]] virtual QString textOf(Spot spot, int column) const = 0;

    /// The slices that `isRow` takes, as spotsOf() gives them.
    template <class IsRow>
    [[nodiscard]] static std::vector<Spot> slicesOf(const LaneModel &model, IsRow isRow)
    {
        std::vector<Spot> spots;
        for (int lane = 0; lane < std::ssize(model.lanes()); ++lane) {
            const std::vector<trace::Slice> &slices = model.lanes()[static_cast<std::size_t>(lane)].slices;
            for (int i = 0; i < std::ssize(slices); ++i)
                if (isRow(slices[static_cast<std::size_t>(i)]))
                    spots.push_back({lane, i, -1});
        }
        return spots;
    }
    [[nodiscard]] const LaneModel &shown() const { return *m_model; }
    [[nodiscard]] const trace::Lane &laneOf(Spot spot) const
    {
        return m_model->lanes()[static_cast<std::size_t>(spot.lane)];
    }
    /// The model is the same, other rows of it are to be shown.
    void reload() { setModel(m_model); }

private:
    [[nodiscard]] QString timeText(double ns, bool isLength) const;
    void arrange();

    std::vector<Column> m_columns;
    std::shared_ptr<const LaneModel> m_model;
    std::vector<Spot> m_spots;          // as spotsOf() gave them
    std::vector<std::uint32_t> m_order; // index in m_spots by row
    std::vector<std::uint32_t> m_rows;  // and back
    int m_sortColumn = -1;
    Qt::SortOrder m_sortOrder = Qt::AscendingOrder;
    double m_unitNs = 1; // of all columns of times
    QString m_unit;
};

} // namespace pipescope::timeline

// Every place where the model may be cut, as a table beside the graph: what crosses there, whether it can be or why
// not, and how the stages would balance with it. The first column is a check box: cut here.
#pragma once

#include "session/document.h"
#include "session/split_preview.h"

#include <QAbstractTableModel>
#include <memory>
#include <vector>

namespace pipescope::splitview {

class SplitTableModel : public QAbstractTableModel
{
    Q_OBJECT

public:
    enum Column { Place, Crosses, Bytes, Legal, Balance, ColumnCount };
    /// What rows are sorted by: numbers where the text has a unit, program order for places.
    static constexpr int SortRole = Qt::UserRole;

    /// The document must outlive this.
    explicit SplitTableModel(session::Document &document, QObject *parent = nullptr);

    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex &index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    [[nodiscard]] Qt::ItemFlags flags(const QModelIndex &index) const override;
    /// Checking places a split, unchecking removes it; false where it cannot be done.
    bool setData(const QModelIndex &index, const QVariant &value, int role) override;

    /// Position in the graph's order of a row's cut, and back; -1 for none.
    [[nodiscard]] int positionOf(int row) const;
    [[nodiscard]] int rowOf(int position) const;

private:
    void reset();
    void showSplits();
    [[nodiscard]] bool isCut(int position) const;
    [[nodiscard]] QVariant toolTip(const partition::SplitPoint &point, int column) const;
    [[nodiscard]] QString text(const partition::SplitPoint &point, int column) const;
    [[nodiscard]] QString crossingText(const partition::SplitPoint &point) const;
    [[nodiscard]] QString balanceText(int position) const;
    [[nodiscard]] QVariant sortKey(const partition::SplitPoint &point, int column) const;

    session::Document &m_document;
    std::shared_ptr<const report::Inspection> m_model;
    session::SplitTable m_table;
    std::vector<int> m_cuts; ///< positions of the plan's splits, ascending
};

} // namespace pipescope::splitview

// A cell of a column that stands beside one to write in: it never takes more than a third of the table, and text with
// no room for it is cut in the middle, since names differ at their ends.
#pragma once

#include <QStyledItemDelegate>

class QTableView;

namespace pipescope::runview {

class NarrowDelegate : public QStyledItemDelegate
{
    Q_OBJECT

public:
    /// The table owns it.
    explicit NarrowDelegate(QTableView &table);

    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const override;

protected:
    void initStyleOption(QStyleOptionViewItem *option, const QModelIndex &index) const override;

private:
    const QTableView &m_table;
};

} // namespace pipescope::runview

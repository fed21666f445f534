// Cells of a table: numbers, which are those at the right of their column, in the fixed-width font, so that digits
// stand below one another.
#pragma once

#include <QStyledItemDelegate>

namespace pipescope::widgets {

class CellDelegate : public QStyledItemDelegate
{
    Q_OBJECT

public:
    using QStyledItemDelegate::QStyledItemDelegate;

    /// Of a column of numbers, for cell and header; as Qt::TextAlignmentRole has it.
    static constexpr int NumberAlignment = static_cast<int>(Qt::AlignRight) | static_cast<int>(Qt::AlignVCenter);

protected:
    void initStyleOption(QStyleOptionViewItem *option, const QModelIndex &index) const override;
};

} // namespace pipescope::widgets

#include "widgets/cell_delegate.h"

#include <QFontDatabase>

namespace pipescope::widgets {

void CellDelegate::initStyleOption(QStyleOptionViewItem *option, const QModelIndex &index) const
{
    QStyledItemDelegate::initStyleOption(option, index);
    if (!option->displayAlignment.testFlag(Qt::AlignRight))
        return;
    option->font.setFamilies(QFontDatabase::systemFont(QFontDatabase::FixedFont).families()); // in the table's size
    option->fontMetrics = QFontMetrics(option->font);
}

} // namespace pipescope::widgets

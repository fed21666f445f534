#include "runview/narrow_delegate.h"

#include <QTableView>
#include <algorithm>

namespace pipescope::runview {

NarrowDelegate::NarrowDelegate(QTableView &table)
    : QStyledItemDelegate(&table)
    , m_table(table)
{
}

QSize NarrowDelegate::sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const
{
    QSize hint = QStyledItemDelegate::sizeHint(option, index);
    hint.setWidth(std::min(hint.width(), m_table.viewport()->width() / 3));
    return hint;
}

void NarrowDelegate::initStyleOption(QStyleOptionViewItem *option, const QModelIndex &index) const
{
    QStyledItemDelegate::initStyleOption(option, index);
    option->textElideMode = Qt::ElideMiddle;
}

} // namespace pipescope::runview

// Cells that name a stage by its number: as a chip in its colour. Cells without one are as any other.
#pragma once

#include <QStyledItemDelegate>

namespace pipescope::widgets {

class StageDelegate : public QStyledItemDelegate
{
    Q_OBJECT

public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override;
    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const override;
};

} // namespace pipescope::widgets

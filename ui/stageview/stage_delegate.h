// How cells of the stage table are painted: the stage as a chip in its colour, its time as a bar beside the number.
#pragma once

#include <QStyledItemDelegate>

namespace pipescope::stageview {

class StageDelegate : public QStyledItemDelegate
{
    Q_OBJECT

public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override;
    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const override;
};

} // namespace pipescope::stageview

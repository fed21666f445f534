// How the time of a stage is painted: a bar in the stage's colour, as long as its share of the slowest, beside the
// number.
#pragma once

#include <QStyledItemDelegate>

namespace pipescope::stageview {

class ShareDelegate : public QStyledItemDelegate
{
    Q_OBJECT

public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override;
    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const override;
};

} // namespace pipescope::stageview

// How the time of a stage is painted: a bar in the stage's colour, as long as its share of the slowest, beside the
// number.
#pragma once

#include "widgets/cell_delegate.h"

namespace pipescope::stageview {

class ShareDelegate : public widgets::CellDelegate
{
    Q_OBJECT

public:
    using CellDelegate::CellDelegate;

    void paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override;
    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const override;
};

} // namespace pipescope::stageview

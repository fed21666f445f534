#include "widgets/stage_delegate.h"

#include "style/stage_chip.h"

#include <QApplication>
#include <QPainter>
#include <algorithm>

namespace pipescope::widgets {

namespace {

constexpr int ChipWidth = 44;
constexpr int Inset = 4;

/// Invalid where the cell has none.
StageId stageOf(const QModelIndex &index)
{
    bool isNumber = false;
    const int number = index.data().toString().toInt(&isNumber);
    return isNumber && number >= 0 ? StageId{number} : StageId{};
}

} // namespace

void StageDelegate::paint(QPainter *painter, const QStyleOptionViewItem &given, const QModelIndex &index) const
{
    const StageId stage = stageOf(index);
    if (!stage.valid())
        return QStyledItemDelegate::paint(painter, given, index);
    QStyleOptionViewItem option = given;
    initStyleOption(&option, index);
    const QStyle *style = option.widget != nullptr ? option.widget->style() : QApplication::style();
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    style->drawPrimitive(QStyle::PE_PanelItemViewItem, &option, painter, option.widget);
    const QRectF cell = QRectF(option.rect).adjusted(Inset, Inset, -Inset, -Inset);
    const QRectF chip(cell.topLeft(), QSizeF(std::min<double>(ChipWidth, cell.width()), cell.height()));
    style::paintStageChip(*painter, chip, stage, option.text, option.font);
    painter->restore();
}

QSize StageDelegate::sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const
{
    QSize size = QStyledItemDelegate::sizeHint(option, index);
    size.setWidth(ChipWidth + 2 * Inset);
    return size;
}

} // namespace pipescope::widgets

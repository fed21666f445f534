#include "stageview/share_delegate.h"

#include "stageview/stage_table_model.h"
#include "style/stage_chip.h"

#include <QApplication>
#include <QPainter>

namespace pipescope::stageview {

namespace {

constexpr int BarWidth = 140;
constexpr int Inset = 4;
constexpr double Radius = 3;

} // namespace

void ShareDelegate::paint(QPainter *painter, const QStyleOptionViewItem &given, const QModelIndex &index) const
{
    const QVariant share = index.data(StageTableModel::ShareRole);
    if (!share.isValid())
        return CellDelegate::paint(painter, given, index);
    QStyleOptionViewItem option = given;
    initStyleOption(&option, index);
    const QStyle *style = option.widget != nullptr ? option.widget->style() : QApplication::style();
    const QRectF cell = QRectF(option.rect).adjusted(Inset, Inset, -Inset, -Inset);
    const QRectF ground(cell.left(), cell.top() + 1, BarWidth, cell.height() - 2);
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    style->drawPrimitive(QStyle::PE_PanelItemViewItem, &option, painter, option.widget);
    painter->setPen(Qt::NoPen);
    painter->setBrush(option.palette.color(QPalette::Mid));
    painter->drawRoundedRect(ground, Radius, Radius);
    style::paintStage(*painter, QRectF(ground.topLeft(), QSizeF(ground.width() * share.toDouble(), ground.height())),
                      StageId{index.row()});
    const bool isSelected = option.state.testFlag(QStyle::State_Selected);
    painter->setPen(option.palette.color(isSelected ? QPalette::HighlightedText : QPalette::Text));
    painter->setFont(option.font);
    painter->drawText(cell.adjusted(BarWidth + 2 * Inset, 0, -Inset, 0), option.displayAlignment, option.text);
    painter->restore();
}

QSize ShareDelegate::sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const
{
    QSize size = CellDelegate::sizeHint(option, index);
    size.setWidth(size.width() + BarWidth + 6 * Inset);
    return size;
}

} // namespace pipescope::stageview

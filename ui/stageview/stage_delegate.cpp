#include "stageview/stage_delegate.h"

#include "stageview/stage_table_model.h"
#include "style/theme.h"

#include <QApplication>
#include <QPainter>

namespace pipescope::stageview {

namespace {

constexpr int ChipWidth = 44;
constexpr int BarWidth = 140;
constexpr int Inset = 4;
constexpr double Radius = 3;

void paintGround(QPainter &painter, const QStyleOptionViewItem &option)
{
    const QStyle *style = option.widget != nullptr ? option.widget->style() : QApplication::style();
    style->drawPrimitive(QStyle::PE_PanelItemViewItem, &option, &painter, option.widget);
}

/// Stages have the same colours in every theme, and so has the ink on them.
void paintStage(QPainter &painter, const QRectF &place, StageId stage)
{
    const style::Theme &theme = style::Theme::dark();
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme.colour(stage));
    painter.drawRoundedRect(place, Radius, Radius);
    if (const Qt::BrushStyle pattern = style::Theme::patternOf(stage); pattern != Qt::NoBrush) {
        painter.setBrush(QBrush(theme.colour(style::Token::Ink), pattern));
        painter.drawRoundedRect(place, Radius, Radius);
    }
}

} // namespace

void StageDelegate::paint(QPainter *painter, const QStyleOptionViewItem &given, const QModelIndex &index) const
{
    QStyleOptionViewItem option = given;
    initStyleOption(&option, index);
    const StageId stage{index.row()};
    const QRectF cell = QRectF(option.rect).adjusted(Inset, Inset, -Inset, -Inset);
    const QVariant share = index.data(StageTableModel::ShareRole);
    if (index.column() != StageTableModel::Stage && !share.isValid())
        return QStyledItemDelegate::paint(painter, given, index);
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    paintGround(*painter, option);
    if (index.column() == StageTableModel::Stage) {
        const QRectF chip(cell.topLeft(), QSizeF(std::min<double>(ChipWidth, cell.width()), cell.height()));
        paintStage(*painter, chip, stage);
        QFont bold = option.font;
        bold.setWeight(QFont::DemiBold);
        painter->setFont(bold);
        painter->setPen(style::Theme::dark().colour(style::Token::Ink));
        painter->drawText(chip, Qt::AlignCenter, option.text);
    } else {
        const QRectF ground(cell.left(), cell.top() + 1, BarWidth, cell.height() - 2);
        painter->setPen(Qt::NoPen);
        painter->setBrush(option.palette.color(QPalette::Mid));
        painter->drawRoundedRect(ground, Radius, Radius);
        paintStage(*painter, QRectF(ground.topLeft(), QSizeF(ground.width() * share.toDouble(), ground.height())),
                   stage);
        const bool isSelected = option.state.testFlag(QStyle::State_Selected);
        painter->setPen(option.palette.color(isSelected ? QPalette::HighlightedText : QPalette::Text));
        painter->drawText(cell.adjusted(BarWidth + 2 * Inset, 0, 0, 0), Qt::AlignVCenter | Qt::AlignLeft, option.text);
    }
    painter->restore();
}

QSize StageDelegate::sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const
{
    QSize size = QStyledItemDelegate::sizeHint(option, index);
    if (index.column() == StageTableModel::Stage)
        size.setWidth(ChipWidth + 2 * Inset);
    else if (index.column() == StageTableModel::Time)
        size.setWidth(size.width() + BarWidth + 6 * Inset);
    return size;
}

} // namespace pipescope::stageview

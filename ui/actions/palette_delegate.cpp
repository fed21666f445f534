#include "actions/palette_delegate.h"

#include "actions/palette_model.h"

#include <QPainter>
#include <algorithm>

namespace pipescope::actions {

int PaletteDelegate::rowHeight(const QFontMetrics &font)
{
    return std::max(24, font.height() + Gap);
}

QSize PaletteDelegate::sizeHint(const QStyleOptionViewItem &option, const QModelIndex &) const
{
    return {0, rowHeight(option.fontMetrics)};
}

void PaletteDelegate::paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const
{
    const QString whyNot = index.data(PaletteModel::WhyNotRole).toString();
    const bool isCurrent = option.state.testFlag(QStyle::State_Selected);
    const QPalette &palette = option.palette;
    const auto group = whyNot.isEmpty() ? QPalette::Active : QPalette::Disabled;
    if (isCurrent)
        painter->fillRect(option.rect, palette.brush(QPalette::Active, QPalette::Highlight));
    const QColor strong =
        isCurrent ? palette.color(QPalette::Active, QPalette::HighlightedText) : palette.color(group, QPalette::Text);
    const QColor weak = isCurrent ? strong : palette.color(QPalette::PlaceholderText);
    const QFontMetrics &metrics = option.fontMetrics;

    QRect room = option.rect.adjusted(Gap, 0, -Gap, 0);
    const QString keys = index.data(PaletteModel::KeysRole).toString();
    const QString kind = index.data(PaletteModel::KindRole).toString();
    const QString right = !whyNot.isEmpty() ? whyNot : keys.isEmpty() ? kind : keys;
    const int most = whyNot.isEmpty() ? room.width() / 3 : room.width() * 3 / 5;
    const QString rightShown = metrics.elidedText(right, Qt::ElideRight, most);
    painter->setPen(weak);
    painter->drawText(room, Qt::AlignRight | Qt::AlignVCenter, rightShown);
    room.adjust(0, 0, -metrics.horizontalAdvance(rightShown) - Gap, 0);
    const QString text = metrics.elidedText(index.data().toString(), Qt::ElideMiddle, room.width());
    painter->setPen(strong);
    painter->drawText(room, Qt::AlignLeft | Qt::AlignVCenter, text);
    room.adjust(metrics.horizontalAdvance(text) + Gap, 0, 0, 0);
    painter->setPen(weak);
    if (room.width() > 2 * Gap)
        painter->drawText(
            room, Qt::AlignLeft | Qt::AlignVCenter,
            metrics.elidedText(index.data(PaletteModel::DetailRole).toString(), Qt::ElideRight, room.width()));
}

} // namespace pipescope::actions

// One row of the command palette: name, detail, and at the right its keys and kind, or why it cannot be done.
#pragma once

#include <QStyledItemDelegate>

namespace pipescope::actions {

class PaletteDelegate : public QStyledItemDelegate
{
    Q_OBJECT

public:
    static constexpr int Gap = 8; ///< at both ends of a row, and between its parts

    using QStyledItemDelegate::QStyledItemDelegate;

    [[nodiscard]] static int rowHeight(const QFontMetrics &font);
    void paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override;
    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const override;
};

} // namespace pipescope::actions

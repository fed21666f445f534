#include "widgets/hover_card.h"

#include <QFontMetricsF>
#include <QPainter>
#include <QTextLayout>
#include <algorithm>
#include <vector>

namespace pipescope::widgets {

using style::Token;

namespace {

constexpr double CardPad = 10;
constexpr double CardGap = 8;
constexpr double WidestCard = 520; ///< a sentence that is longer is read more easily in two lines

struct CardRow
{
    QString text;
    const QFont &font;
};

/// One fact, over as many rows as it needs.
void addRows(const QString &fact, const QFont &font, double widest, std::vector<CardRow> &rows)
{
    QTextOption wrapping;
    wrapping.setWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
    QTextLayout layout(fact, font);
    layout.setTextOption(wrapping);
    layout.beginLayout();
    for (QTextLine line = layout.createLine(); line.isValid(); line = layout.createLine()) {
        line.setLineWidth(widest);
        rows.push_back({fact.mid(line.textStart(), line.textLength()).trimmed(), font});
    }
    layout.endLayout();
}

} // namespace

QRectF hoverCardPlace(const QRectF &room, const QRectF &about, QSizeF card)
{
    const double above = about.top() - room.top();
    const double below = room.bottom() - about.bottom();
    const double top = below >= above ? about.bottom() + CardGap : about.top() - CardGap - card.height();
    const double most = std::max(room.left(), room.right() - card.width());
    const double lowest = std::max(0.0, room.bottom() - card.height());
    return {QPointF(std::clamp(about.left(), room.left(), most), std::clamp(top, 0.0, lowest)), card};
}

void paintHoverCard(QPainter &painter, const CardLook &look, const QString &text, const QRectF &about)
{
    QFont bold = look.font;
    bold.setWeight(QFont::DemiBold);
    const QStringList facts = text.split('\n');
    std::vector<CardRow> rows;
    for (const QString &fact : facts)
        addRows(fact, &fact == &facts.front() ? bold : look.font, std::min(look.room.width(), WidestCard) - 2 * CardPad,
                rows);
    const double height = QFontMetricsF(bold).lineSpacing() + 2;
    double width = 0;
    for (const CardRow &row : rows)
        width = std::max(width, QFontMetricsF(row.font).horizontalAdvance(row.text));
    const QSizeF size(std::min(width + 2 * CardPad, look.room.width()),
                      static_cast<double>(rows.size()) * height + 2 * CardPad);
    const QRectF card = hoverCardPlace(look.room, about & look.room, size);
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(look.theme.colour(Token::Line), 1));
    painter.setBrush(look.theme.colour(Token::Panel));
    painter.drawRoundedRect(card.adjusted(0.5, 0.5, -0.5, -0.5), 6, 6);
    QRectF place(card.left() + CardPad, card.top() + CardPad, card.width() - 2 * CardPad, height);
    for (const CardRow &row : rows) {
        painter.setFont(row.font);
        painter.setPen(look.theme.colour(&row.font == &bold ? Token::Text : Token::Dim));
        painter.drawText(place, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextDontClip, row.text);
        place.translate(0, height);
    }
    painter.restore();
}

} // namespace pipescope::widgets

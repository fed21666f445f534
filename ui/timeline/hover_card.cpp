#include "timeline/hover_card.h"

#include <QFontMetricsF>
#include <QPainter>
#include <QTextLayout>
#include <algorithm>
#include <vector>

namespace pipescope::timeline {

using style::Token;

namespace {

constexpr double Pad = 10;
constexpr double Gap = 8;
constexpr double WidestCard = 520; ///< a sentence that is longer is read more easily in two lines

struct Row
{
    QString text;
    const QFont &font;
};

/// One fact, over as many rows as it needs.
void addRows(const QString &fact, const QFont &font, double widest, std::vector<Row> &rows)
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

QRectF hoverCardPlace(const QRectF &axis, const QRectF &about, QSizeF card)
{
    const double above = about.top() - axis.top();
    const double below = axis.bottom() - about.bottom();
    const double top = below >= above ? about.bottom() + Gap : about.top() - Gap - card.height();
    const double most = std::max(axis.left(), axis.right() - card.width());
    const double lowest = std::max(0.0, axis.bottom() - card.height());
    return {QPointF(std::clamp(about.left(), axis.left(), most), std::clamp(top, 0.0, lowest)), card};
}

void paintHoverCard(QPainter &painter, const Scene &scene, const QString &text, const QRectF &about)
{
    QFont bold = scene.font;
    bold.setWeight(QFont::DemiBold);
    const QRectF axis = scene.geometry.axis();
    const QStringList facts = text.split('\n');
    std::vector<Row> rows;
    for (const QString &fact : facts)
        addRows(fact, &fact == &facts.front() ? bold : scene.font, std::min(axis.width(), WidestCard) - 2 * Pad, rows);
    const double height = QFontMetricsF(bold).lineSpacing() + 2;
    double width = 0;
    for (const Row &row : rows)
        width = std::max(width, QFontMetricsF(row.font).horizontalAdvance(row.text));
    const QSizeF size(std::min(width + 2 * Pad, axis.width()), static_cast<double>(rows.size()) * height + 2 * Pad);
    const QRectF card = hoverCardPlace(axis, about & axis, size);
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(scene.theme.colour(Token::Line), 1));
    painter.setBrush(scene.theme.colour(Token::Panel));
    painter.drawRoundedRect(card.adjusted(0.5, 0.5, -0.5, -0.5), 6, 6);
    QRectF place(card.left() + Pad, card.top() + Pad, card.width() - 2 * Pad, height);
    for (const Row &row : rows) {
        painter.setFont(row.font);
        painter.setPen(scene.theme.colour(&row.font == &bold ? Token::Text : Token::Dim));
        painter.drawText(place, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextDontClip, row.text);
        place.translate(0, height);
    }
    painter.restore();
}

} // namespace pipescope::timeline

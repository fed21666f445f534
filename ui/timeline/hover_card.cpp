#include "timeline/hover_card.h"

#include <QFontMetricsF>
#include <QPainter>
#include <algorithm>

namespace pipescope::timeline {

using style::Token;

namespace {

constexpr double Pad = 10;
constexpr double Gap = 8;

} // namespace

QRectF hoverCardPlace(const QRectF &axis, const QRectF &about, QSizeF card)
{
    const double above = about.top() - axis.top();
    const double below = axis.bottom() - about.bottom();
    const double top = below >= above ? about.bottom() + Gap : about.top() - Gap - card.height();
    const double most = std::max(axis.left(), axis.right() - card.width());
    return {QPointF(std::clamp(about.left(), axis.left(), most), top), card};
}

void paintHoverCard(QPainter &painter, const Scene &scene, const QString &text, const QRectF &about)
{
    QFont bold = scene.font;
    bold.setWeight(QFont::DemiBold);
    const QStringList lines = text.split('\n');
    const double line = QFontMetricsF(bold).lineSpacing() + 2;
    double width = QFontMetricsF(bold).horizontalAdvance(lines.front());
    for (const QString &each : lines)
        width = std::max(width, QFontMetricsF(scene.font).horizontalAdvance(each));
    const QRectF axis = scene.geometry.axis();
    const QSizeF size(std::min(width + 2 * Pad, axis.width()), static_cast<double>(lines.size()) * line + 2 * Pad);
    const QRectF card = hoverCardPlace(axis, about & axis, size);
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(scene.theme.colour(Token::Line), 1));
    painter.setBrush(scene.theme.colour(Token::Panel));
    painter.drawRoundedRect(card.adjusted(0.5, 0.5, -0.5, -0.5), 6, 6);
    QRectF row(card.left() + Pad, card.top() + Pad, card.width() - 2 * Pad, line);
    for (const QString &each : lines) {
        const bool isTitle = &each == &lines.front();
        painter.setFont(isTitle ? bold : scene.font);
        painter.setPen(scene.theme.colour(isTitle ? Token::Text : Token::Dim));
        painter.drawText(row, Qt::AlignLeft | Qt::AlignVCenter,
                         painter.fontMetrics().elidedText(each, Qt::ElideRight, static_cast<int>(row.width())));
        row.translate(0, line);
    }
    painter.restore();
}

} // namespace pipescope::timeline

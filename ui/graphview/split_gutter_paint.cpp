// How the gutter looks.
#include "graphview/split_gutter.h"

#include <QFontMetrics>
#include <QPaintEvent>
#include <QPainter>
#include <algorithm>

namespace pipescope::graphview {

using style::Token;

namespace {

constexpr int Space = 12; // between columns
constexpr int MostIndents = 5;
constexpr int StripWidth = 24;
constexpr int Indent = 12;
constexpr int ChipWidth = 56;

} // namespace

void SplitGutter::paintEvent(QPaintEvent *event)
{
    QPainter painter(viewport());
    painter.setRenderHint(QPainter::Antialiasing);
    painter.fillRect(event->rect(), m_theme->colour(Token::Panel));
    if (m_rows.empty())
        return;
    const int first = std::max(0, rowAt(0));
    const int last = std::min(static_cast<int>(m_rows.size()), rowAt(viewport()->height()) + 1);
    for (int row = first; row < last; ++row)
        paintRow(painter, row);
    for (int gap = std::max(1, first); gap < last; ++gap)
        paintGap(painter, gap);
}

// Colour, pattern and number.
void SplitGutter::paintStage(QPainter &painter, const QRectF &strip, StageId first, StageId last) const
{
    painter.setPen(Qt::NoPen);
    painter.setBrush(m_theme->colour(first));
    painter.drawRoundedRect(strip, 3, 3);
    if (last != first) { // a split inside of a closed module
        painter.setBrush(m_theme->colour(last));
        painter.drawRoundedRect(strip.adjusted(0, strip.height() / 2, 0, 0), 3, 3);
    }
    if (const Qt::BrushStyle pattern = style::Theme::patternOf(first); pattern != Qt::NoBrush) {
        QColor ink = m_theme->colour(Token::Ink);
        ink.setAlphaF(0.35F);
        painter.setBrush(QBrush(ink, pattern));
        painter.drawRoundedRect(strip, 3, 3);
    }
    painter.setFont(m_fonts.value);
    painter.setPen(m_theme->colour(Token::Ink));
    const QString number = QString::number(first.value);
    painter.drawText(strip, Qt::AlignCenter,
                     first == last ? number : QStringLiteral("%1–%2").arg(number).arg(last.value));
}

// Name, then kind in a column of its own, and the shape at the right. The kind gives way first and then the shape: a
// name that is cut short may be another row's.
void SplitGutter::paintRow(QPainter &painter, int row) const
{
    const SplitRow &of = m_rows[static_cast<std::size_t>(row)];
    const int y = rowTop(row);
    if (isSelected(row)) {
        QColor ground = m_theme->colour(Token::Accent);
        ground.setAlphaF(0.18F);
        painter.fillRect(QRectF(rowRect(row)), ground);
        painter.fillRect(QRectF(0, y, 3, RowHeight), m_theme->colour(Token::Accent)); // not by a shade alone
    }
    const QRectF strip(8, y + 3, StripWidth, RowHeight - 6);
    if (m_isStaged)
        paintStage(painter, strip, stageAt(of.begin), stageAt(of.end - 1));
    const int left = 16 + StripWidth + std::min(of.depth, MostIndents) * Indent;
    const auto hasChip = [this](int gap) { return !isCut(gap) && pointAt(gap) && gap == m_hovered; };
    const int chip = hasChip(row) || hasChip(row + 1) ? ChipWidth + 6 : 0;
    QRect room(left, y, viewport()->width() - left - 8, RowHeight);
    const QFontMetrics titles(m_fonts.title);
    const QFontMetrics shapes(m_fonts.value);
    const QFontMetrics kinds(m_fonts.detail);
    const int wanted = titles.horizontalAdvance(of.title) + Space;
    const int shape = shapes.horizontalAdvance(of.shape);
    if (shape > 0 && chip == 0 && shape + wanted <= room.width()) {
        painter.setFont(m_fonts.value);
        painter.setPen(m_theme->colour(Token::Dim));
        painter.drawText(room, Qt::AlignVCenter | Qt::AlignRight, of.shape);
        room.setWidth(room.width() - shape - Space);
    }
    room.setWidth(room.width() - chip);
    const QString title = titles.elidedText(of.title, Qt::ElideMiddle, room.width());
    painter.setFont(m_fonts.title);
    painter.setPen(m_theme->colour(Token::Text));
    painter.drawText(room, Qt::AlignVCenter | Qt::AlignLeft, title);
    const int column = std::max(wanted, viewport()->width() * 2 / 5 - left); // of the kinds
    const int rest = room.width() - column;
    if (rest < 3 * Indent)
        return;
    painter.setFont(m_fonts.detail);
    painter.setPen(m_theme->colour(Token::Dim));
    painter.drawText(room.adjusted(column, 0, 0, 0), Qt::AlignVCenter | Qt::AlignLeft,
                     kinds.elidedText(of.kind, Qt::ElideRight, rest));
}

void SplitGutter::paintGap(QPainter &painter, int gap) const
{
    const partition::SplitPoint *point = pointAt(gap);
    if (!point)
        return;
    const double y = gapRect(gap).center().y() + 0.5;
    const bool cut = isCut(gap);
    const bool lit = gap == m_hovered || (gap == m_current && hasFocus());
    if (!point->cut.legal)
        painter.setPen(QPen(m_theme->colour(lit ? Token::Bad : Token::Grid), 1, Qt::DotLine));
    else if (cut)
        painter.setPen(QPen(m_theme->colour(stageAt(point->cut.position)), 2));
    else if (lit)
        painter.setPen(QPen(m_theme->colour(Token::Accent), 2, Qt::DashLine));
    else
        return;
    const double right = viewport()->width() - 8;
    painter.drawLine(QPointF(8, y), QPointF(right, y));
    if (!cut && !lit)
        return;
    const QRectF chip(right - ChipWidth, y - 9, ChipWidth, 18);
    const Token plain = point->cut.legal ? Token::Accent : Token::Panel;
    painter.setPen(point->cut.legal ? QPen(Qt::NoPen) : QPen(m_theme->colour(Token::Bad), 1));
    painter.setBrush(cut ? m_theme->colour(stageAt(point->cut.position)) : m_theme->colour(plain));
    painter.drawRoundedRect(chip, 4, 4);
    painter.setFont(m_fonts.title);
    painter.setPen(m_theme->colour(cut ? Token::Ink : point->cut.legal ? Token::Canvas : Token::Bad));
    painter.drawText(chip, Qt::AlignCenter,
                     cut                ? QStringLiteral("split %1").arg(stageAt(point->cut.position).value)
                     : point->cut.legal ? tr("split")
                                        : tr("no split"));
}

} // namespace pipescope::graphview

// How the gutter looks.
#include "graphview/split_gutter.h"

#include <QFontMetrics>
#include <QPaintEvent>
#include <QPainter>
#include <QScrollBar>
#include <algorithm>
#include <cmath>

namespace pipescope::graphview {

using style::Token;

namespace {

constexpr int Space = 12; // between columns
constexpr int MostIndents = 5;
constexpr int StripWidth = 24;
constexpr int Indent = 12;
constexpr int ChipWidth = 56;
constexpr int Right = 8;        // of all that is written
constexpr double KindsAt = 0.4; // of the width

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
    const Pass pass{viewport()->width(), true, m_hovered, hasFocus() ? m_current : -1};
    for (int row = first; row < last; ++row)
        paintRow(painter, row, pass);
    for (int gap = std::max(1, first); gap < last; ++gap)
        paintGap(painter, gap, pass);
}

QSizeF SplitGutter::drawnSize() const
{
    return m_rows.empty() ? QSizeF() : QSizeF(drawnWidth(), m_tops.back() + m_tops.front());
}

void SplitGutter::draw(QPainter &painter) const
{
    if (m_rows.empty())
        return;
    const Pass pass{drawnWidth(), false, -1, -1};
    painter.setRenderHint(QPainter::Antialiasing);
    painter.fillRect(QRectF({0, 0}, drawnSize()), m_theme->colour(Token::Panel));
    painter.save();
    painter.translate(0, verticalScrollBar()->value());
    const int count = static_cast<int>(m_rows.size());
    for (int row = 0; row < count; ++row)
        paintRow(painter, row, pass);
    for (int gap = 1; gap < count; ++gap)
        paintGap(painter, gap, pass);
    painter.restore();
}

QString SplitGutter::drawnName() const
{
    const graph::ModelGraph *graph = m_table ? m_table->graph() : nullptr;
    const std::string name = graph ? graph->modelClass : std::string();
    return (name.empty() ? QString() : QString::fromStdString(name).toLower() + '-') + QStringLiteral("order");
}

int SplitGutter::titleLeft(int row) const
{
    return 16 + StripWidth + std::min(m_rows[static_cast<std::size_t>(row)].depth, MostIndents) * Indent;
}

int SplitGutter::drawnWidth() const
{
    const QFontMetrics titles(m_fonts.title);
    const QFontMetrics shapes(m_fonts.value);
    const QFontMetrics kinds(m_fonts.detail);
    int width = sizeHint().width();
    for (int row = 0; row < static_cast<int>(m_rows.size()); ++row) {
        const SplitRow &of = m_rows[static_cast<std::size_t>(row)];
        const int title = titleLeft(row) + titles.horizontalAdvance(of.title) + Space;
        const int beside =
            std::max(3 * Indent, kinds.horizontalAdvance(of.kind)) + Space + shapes.horizontalAdvance(of.shape) + Right;
        width = std::max({width, title + beside, static_cast<int>(std::ceil(beside / (1 - KindsAt)))});
    }
    return width;
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
void SplitGutter::paintRow(QPainter &painter, int row, const Pass &pass) const
{
    const SplitRow &of = m_rows[static_cast<std::size_t>(row)];
    const int y = rowTop(row);
    if (pass.hasSelection && isSelected(row)) {
        QColor ground = m_theme->colour(Token::Accent);
        ground.setAlphaF(0.18F);
        painter.fillRect(QRectF(rowRect(row)), ground);
        painter.fillRect(QRectF(0, y, 3, RowHeight), m_theme->colour(Token::Accent)); // not by a shade alone
    }
    const QRectF strip(8, y + 3, StripWidth, RowHeight - 6);
    if (m_isStaged)
        paintStage(painter, strip, stageAt(of.begin), stageAt(of.end - 1));
    const int left = titleLeft(row);
    const auto hasChip = [&](int gap) { return !isCut(gap) && pointAt(gap) && gap == pass.hovered; };
    const int chip = hasChip(row) || hasChip(row + 1) ? ChipWidth + 6 : 0;
    QRect room(left, y, pass.width - left - Right, RowHeight);
    const QFontMetrics titles(m_fonts.title);
    const QFontMetrics shapes(m_fonts.value);
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
    paintKind(painter, room.adjusted(std::max(wanted, static_cast<int>(pass.width * KindsAt) - left), 0, 0, 0),
              of.kind);
}

void SplitGutter::paintKind(QPainter &painter, const QRect &room, const QString &kind) const
{
    if (room.width() < 3 * Indent)
        return;
    painter.setFont(m_fonts.detail);
    painter.setPen(m_theme->colour(Token::Dim));
    painter.drawText(room, Qt::AlignVCenter | Qt::AlignLeft,
                     QFontMetrics(m_fonts.detail).elidedText(kind, Qt::ElideRight, room.width()));
}

void SplitGutter::paintGap(QPainter &painter, int gap, const Pass &pass) const
{
    const partition::SplitPoint *point = pointAt(gap);
    if (!point)
        return;
    const double y = gapRect(gap).center().y() + 0.5;
    const bool cut = isCut(gap);
    const bool lit = gap == pass.hovered || gap == pass.current;
    if (!point->cut.legal)
        painter.setPen(QPen(m_theme->colour(lit ? Token::Bad : Token::Grid), 1, Qt::DotLine));
    else if (cut)
        painter.setPen(QPen(m_theme->colour(stageAt(point->cut.position)), 2));
    else if (lit)
        painter.setPen(QPen(m_theme->colour(Token::Accent), 2, Qt::DashLine));
    else
        return;
    const double right = pass.width - Right;
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

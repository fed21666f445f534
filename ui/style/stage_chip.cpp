#include "style/stage_chip.h"

#include "style/theme.h"

#include <QFont>
#include <QPainter>

namespace pipescope::style {

namespace {

constexpr double Radius = 3;
constexpr float PatternAlpha = 0.35F; ///< or the number could not be read

} // namespace

void paintStage(QPainter &painter, const QRectF &place, StageId stage)
{
    const Theme &theme = Theme::dark();
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme.colour(stage));
    painter.drawRoundedRect(place, Radius, Radius);
    if (const Qt::BrushStyle pattern = Theme::patternOf(stage); pattern != Qt::NoBrush) {
        QColor ink = theme.colour(Token::Ink);
        ink.setAlphaF(PatternAlpha);
        painter.setBrush(QBrush(ink, pattern));
        painter.drawRoundedRect(place, Radius, Radius);
    }
}

void paintStageChip(QPainter &painter, const QRectF &place, StageId stage, const QString &text, const QFont &font)
{
    paintStage(painter, place, stage);
    QFont bold = font;
    bold.setWeight(QFont::DemiBold);
    painter.setFont(bold);
    painter.setPen(Theme::dark().colour(Token::Ink));
    painter.drawText(place, Qt::AlignCenter, text);
}

} // namespace pipescope::style

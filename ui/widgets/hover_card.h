// The card beside what is under the pointer of a canvas: its first line is the title.
#pragma once

#include "style/theme.h"

#include <QRectF>
#include <QSizeF>

class QFont;
class QPainter;
class QString;

namespace pipescope::widgets {

/// What a card looks like, and where on the canvas it may stand.
struct CardLook
{
    const style::Theme &theme;
    const QFont &font;
    QRectF room;
};

/// Below or above what the card is about, on the side with more room, so that it does not cover it where there is room
/// for all of it; within the room from left to right, and from the top edge of the canvas down.
[[nodiscard]] QRectF hoverCardPlace(const QRectF &room, const QRectF &about, QSizeF card);

/// A line each; one that is too long goes on in the next one.
void paintHoverCard(QPainter &painter, const CardLook &look, const QString &text, const QRectF &about);

} // namespace pipescope::widgets

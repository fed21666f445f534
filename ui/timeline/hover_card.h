// What is said of the bubble under the pointer, on a card beside it.
#pragma once

#include "timeline/scene.h"

#include <QString>

class QPainter;

namespace pipescope::timeline {

/// Below or above what the card is about, on the side with more room, so that it does not cover it where there is room
/// for all of it; within the axis from left to right, and from the top edge down.
[[nodiscard]] QRectF hoverCardPlace(const QRectF &axis, const QRectF &about, QSizeF card);

/// The text's first line is the title. What is too long for a line goes on in the next one.
void paintHoverCard(QPainter &painter, const Scene &scene, const QString &text, const QRectF &about);

} // namespace pipescope::timeline

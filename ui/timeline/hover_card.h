// What is said of the bubble under the pointer, on a card beside it.
#pragma once

#include "timeline/scene.h"

#include <QString>

class QPainter;

namespace pipescope::timeline {

/// widgets/hover_card.h's, within the axis from left to right.
void paintHoverCard(QPainter &painter, const Scene &scene, const QString &text, const QRectF &about);

} // namespace pipescope::timeline

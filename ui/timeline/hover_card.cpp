#include "timeline/hover_card.h"

#include "widgets/hover_card.h"

namespace pipescope::timeline {

void paintHoverCard(QPainter &painter, const Scene &scene, const QString &text, const QRectF &about)
{
    widgets::paintHoverCard(painter, {scene.theme, scene.font, scene.geometry.axis()}, text, about);
}

} // namespace pipescope::timeline
